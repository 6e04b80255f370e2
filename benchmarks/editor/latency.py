"""CPU time from an edit of a model file to its diagnostics, as the language server works them out.

python -m benchmarks.editor.latency [--peers DIR] [--files 8] [--edits 6]

A file is opened and analysed (``cold``), then edited: a statement typed into a ``forward``, another width in an
``__init__``, a comment in a body, a line at the top, a new import. Measured is what the server does for an edit: parsing the
touched chunks, tracing and checking what depends on them. Fixes are proved when they are asked for and are not part of it. As
in the server, the garbage collector is off, and collects between the edits. A full libcst parse of the same text is measured
after each.

One file is made here, of 1,000 lines; ``--peers`` adds the timm models of about that length. Well-known files are measured by
method in ``benchmarks/editor/methods.py``.
"""

from __future__ import annotations

import argparse
import ast
import gc
import json
import os
import statistics
import tempfile
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import libcst

from benchmarks import results
from benchmarks.editor.model_edits import KINDS, edits, model_file
from benchmarks.speed.corpus import off_1000_lines
from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.source.document import Document


@dataclass
class Times:
    """Milliseconds of CPU time by kind of edit, of full parses, of first answers."""

    edits: dict[str, list[float]] = field(default_factory=lambda: {kind: [] for kind in KINDS})
    parses: list[float] = field(default_factory=list)
    cold: list[float] = field(default_factory=list)

    def add(self, other: Times) -> None:
        """Add the times of another file."""
        for kind, times in other.edits.items():
            self.edits[kind] += times
        self.parses += other.parses
        self.cold += other.cold

    def figures(self) -> dict[str, Any]:
        """Medians and 95th percentiles, also as multiples of a full parse."""
        parse = statistics.median(self.parses) if self.parses else 0.0
        every = [time_ for times in self.edits.values() for time_ in times]
        return {
            "parse_ms": round(parse, 1),
            "cold_first_answer_ms": round(statistics.median(self.cold), 1),
            "all": summary(every, parse) if every else {"edits": 0},
            **{kind: summary(times, parse) for kind, times in self.edits.items() if times},
        }


def main() -> None:
    """Measure, print, write ``results/editor-latency.json``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path)
    parser.add_argument("--files", type=int, default=8, help="timm models")
    parser.add_argument("--edits", type=int, default=6, help="of each kind in each file")
    options = parser.parse_args()
    gc.disable()
    with tempfile.TemporaryDirectory() as directory:
        own = Path(directory) / "models.py"
        own.write_text(model_file(1_000))
        measure(own, 1)  # what is imported when it is first needed counts for no file
        figures: dict[str, Any] = {
            "load_average": round(os.getloadavg()[0], 1),
            "own file": measure(own, options.edits).figures(),
        }
    print("own file", json.dumps(figures["own file"]), flush=True)
    figures["timm"] = timm(options) if options.peers is not None else "not present"
    print("timm", json.dumps(figures["timm"]))
    print(f"written: {results.write('editor-latency', figures).name}")


def timm(options: argparse.Namespace) -> dict[str, Any] | str:
    """The times of all timm models that are nearest to 1,000 lines, together."""
    models = sorted((options.peers / "pypi+timm" / "timm" / "models").glob("[a-z]*.py"), key=off_1000_lines)[: options.files]
    if not models:
        return "not present"
    total = Times()
    for path in models:
        total.add(measure(path, options.edits))
    return {"files": [path.name for path in models], **total.figures()}


def measure(path: Path, most: int) -> Times:
    """The times of one file."""
    text, times = path.read_text(), Times()
    session = Session(Configuration(isolated=True), remember=True)
    document: Document | None = None

    def answer(new: str) -> None:
        nonlocal document
        document = Document.from_text(path, new) if document is None else document.edit(new)
        assert session.analyser(path).analyse(document).findings is not None

    times.cold.append(cpu_ms(lambda: answer(text)))
    for kind in KINDS:
        for new in edits(text, kind, most):
            if not parses(new):
                continue
            times.edits[kind].append(cpu_ms(lambda new=new: answer(new)))
            times.parses.append(cpu_ms(lambda new=new: libcst.parse_module(new)))
            answer(text)
            gc.collect()
    return times


def parses(text: str) -> bool:
    """Whether an edit has left the text valid."""
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def cpu_ms(work: Callable[[], object]) -> float:
    """Milliseconds of CPU time that some work takes."""
    start = time.process_time()
    work()
    return (time.process_time() - start) * 1000


def summary(times: list[float], parse: float) -> dict[str, Any]:
    """Median and 95th percentile."""
    ranked = sorted(times)
    middle, late = statistics.median(ranked), ranked[min(len(ranked) - 1, round(0.95 * len(ranked)))]
    figures = {"p50_ms": middle, "p95_ms": late, "p50_parses": middle / parse, "p95_parses": late / parse}
    return {"edits": len(times), **{name: round(figure, 2) for name, figure in figures.items()}}


if __name__ == "__main__":
    main()
