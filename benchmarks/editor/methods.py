"""CPU time from an edit inside a method of public files to the diagnostics, and how much of the file is executed again for it.

python -m benchmarks.editor.methods --peers DIR [--edits 200] [--only NAME ...]

Each edit starts from the file as it is: a statement typed into a body (not of ``__init__``), a comment there, a statement typed
into an ``__init__``. Where a file has fewer places than edits, places come again. Measured is what the server does for an edit,
as in ``benchmarks/editor/latency.py``; a *step* is a statement of the top level or an entry that nothing calls
(``dllint/lower/incremental.py``).
"""

from __future__ import annotations

import argparse
import ast
import gc
import json
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from benchmarks import results
from benchmarks.editor.latency import cpu_ms
from benchmarks.editor.model_edits import model_file
from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.source.document import Document

#: The files below the directory of public code, by a short name.
FILES: Final = {
    "timm resnet": "huggingface+pytorch-image-models/timm/models/resnet.py",
    "timm swin": "huggingface+pytorch-image-models/timm/models/swin_transformer.py",
    "timm vision_transformer": "huggingface+pytorch-image-models/timm/models/vision_transformer.py",
    "transformers bert": "pypi+transformers/transformers/models/bert/modeling_bert.py",
    "transformers llama": "pypi+transformers/transformers/models/llama/modeling_llama.py",
    "keras resnet": "pypi+keras/keras/src/applications/resnet.py",
    "nanoGPT model": "karpathy+nanoGPT/model.py",
    "nanoGPT train": "karpathy+nanoGPT/train.py",
}
#: By kind of edit: the line that is typed, and whether that is into a constructor.
KINDS: Final = {
    "body": ("added_here = {number}", False),
    "comment": ("# comment number {number}", False),
    "__init__": ("self.added_here = {number}", True),
}


class Edit(NamedTuple):
    """What one edit has cost: milliseconds of CPU time, steps executed, steps of all."""

    ms: float
    executed: int
    steps: int


def main() -> None:
    """Measure, print, write ``results/editor-methods.json``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--edits", type=int, default=200, help="of each kind in each file")
    parser.add_argument("--only", nargs="*", choices=FILES, default=tuple(FILES))
    options = parser.parse_args()
    gc.disable()
    with tempfile.TemporaryDirectory() as directory:
        own = Path(directory) / "models.py"
        own.write_text(model_file(200))
        measured(own, 1)  # what is imported when it is first needed counts for no file
    figures: dict[str, object] = {"load_average": round(os.getloadavg()[0], 1)}
    for name in options.only:
        path = options.peers / FILES[name]
        figures[name] = measured(path, options.edits) if path.is_file() else "not present"
        print(name, json.dumps(figures[name]), flush=True)
    if set(options.only) == set(FILES):
        print(f"written: {results.write('editor-methods', figures).name}")


def measured(path: Path, most: int) -> dict[str, object]:
    """The figures of one file."""
    text = path.read_text()
    session = Session(Configuration(isolated=True), remember=True)
    tracer = session.tracer(session.configuration.for_file(path))
    document = Document.from_text(path, text)

    def check(new: str) -> None:
        nonlocal document
        document = document.edit(new)
        session.analyser(path).analyse(document)

    out: dict[str, object] = {"lines": text.count("\n"), "opened_ms": round(cpu_ms(lambda: check(text)), 1)}
    for kind, (typed, is_constructor) in KINDS.items():
        edits: list[Edit] = []
        for new in edited(text, typed, most, is_constructor=is_constructor):
            ms = cpu_ms(lambda new=new: check(new))
            work = tracer.work(path)
            assert work is not None
            edits.append(Edit(ms, work.executed, work.steps))
            check(text)
            gc.collect()
        out[kind] = summary(edits) if edits else "no place"
    return out


def edited(text: str, typed: str, most: int, *, is_constructor: bool) -> Iterator[str]:
    """Texts with a line typed below a statement of a method."""
    lines, found = text.splitlines(keepends=True), places(text, is_constructor=is_constructor)
    Random(0).shuffle(found)
    for number in range(most if found else 0):
        line, margin = found[number % len(found)]
        yield "".join([*lines[:line], f"{' ' * margin}{typed.format(number=number + 1)}\n", *lines[line:]])


def places(text: str, *, is_constructor: bool) -> list[tuple[int, int]]:
    """The lines behind which simple statements of functions end, and their margins: of constructors, or of all others."""
    return [
        (part.end_lineno, part.col_offset)
        for function in ast.walk(ast.parse(text))
        if isinstance(function, ast.FunctionDef) and (function.name == "__init__") is is_constructor
        for part in function.body
        if isinstance(part, ast.Assign | ast.AugAssign | ast.Expr) and part.end_lineno is not None and part.col_offset > 0
    ]


def summary(edits: list[Edit]) -> dict[str, float]:
    """Medians and 95th percentiles."""
    times, executed = sorted(edit.ms for edit in edits), sorted(edit.executed for edit in edits)
    middle, late = len(edits) // 2, min(len(edits) - 1, round(0.95 * len(edits)))
    return {
        "edits": len(edits),
        "p50_ms": round(times[middle], 1),
        "p95_ms": round(times[late], 1),
        "p50_executed": executed[middle],
        "p95_executed": executed[late],
        "steps": edits[0].steps,
    }


if __name__ == "__main__":
    main()
