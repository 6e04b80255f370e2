"""Memory of an editor session over thousands of edits of one model file.

python -m benchmarks.editor.memory [--edits 5000] [--lines 500 | --file FILE]

A file of 500 lines, or the given one, is opened in the analysis process's part of the language server and edited again and
again: each edit is typed and taken back, at places drawn over the whole file. The findings are asked for after each edit;
after every fifth one, as in a pause of typing, also the table for hovers and inlay hints, and the proved fixes of the first
finding. After every 100 edits everything that can be collected is, and the resident memory in KiB, the number of objects that
the collector knows, and the number of symbolic sizes are noted. The largest figure of the last fifth of the edits is compared
with that after the first 100: the status is 1 if the resident memory has grown by more than 10 %.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import NoReturn

from benchmarks import results
from benchmarks.editor import methods
from benchmarks.editor.latency import parses
from benchmarks.editor.model_edits import KINDS, edits, model_file
from dllint.domains.dim import DimExpr
from dllint.server.analyst import Analyst
from dllint.server.attempts import Attempts
from dllint.server.messages import Buffer
from dllint.server.pages import Pages

#: Edits between two samples.
BETWEEN = 100
#: Edits between two pauses of typing; odd, so that there are pauses after edits that are taken back later.
PAUSE = 5
#: Different edits of each kind.
MANY = 200
#: What the resident memory may come to, as a multiple of that after the first sample.
MOST = 1.1


@dataclass(frozen=True)
class Sample:
    """What is held after some edits: KiB of resident memory, objects, symbolic sizes."""

    edits: int
    rss_kib: int
    objects: int
    sizes: int


def main() -> None:
    """Measure, print, write ``results/editor-memory.json``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edits", type=int, default=5_000)
    parser.add_argument("--lines", type=int, default=500)
    parser.add_argument("--file", type=Path, help="a public file to edit instead of a generated one")
    options = parser.parse_args()
    samples = []
    if options.file is None:
        steps = held(options.edits, options.lines)
    else:
        steps = held_of(options.file, method_edits(options.file.read_text()), options.edits)
    for sample in steps:
        print(sample, flush=True)
        samples.append(sample)
    figures = {
        "lines": options.lines if options.file is None else options.file.read_text().count("\n"),
        "edits": samples[-1].edits,
        **{name: growth(samples, name) for name in ("rss_kib", "objects", "sizes")},
        "samples": [[s.edits, s.rss_kib, s.objects, s.sizes] for s in samples],
    }
    print(json.dumps({name: figure for name, figure in figures.items() if name != "samples"}, indent=1))
    name = "editor-memory" if options.file is None else f"editor-memory-{options.file.stem}"
    print(f"written: {results.write(name, figures).name}")
    sys.exit(growth(samples, "rss_kib")["ratio"] > MOST)


def held(count: int, lines: int, between: int = BETWEEN) -> Iterator[Sample]:
    """What the server holds after every so many edits of a generated file of about so many lines."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "models.py"
        path.write_text(model_file(lines))
        yield from held_of(path, model_edits(path.read_text(), count), count, between)


def held_of(path: Path, edited: Sequence[str], count: int, between: int = BETWEEN) -> Iterator[Sample]:
    """What the server holds after every so many edits of a file, which itself stays as it is."""
    with tempfile.TemporaryDirectory() as directory:
        analyst = Analyst(lambda: None, Pages(Path(directory) / "pages"), Attempts(_fail))
        for number, text in enumerate(texts(path.read_text(), edited, count), start=1):
            analyst.buffer(Buffer(path, number, text))
            checked, look = analyst.check(path)
            if number % PAUSE == 0 and look is not None:
                look()
                analyst.prove(path, number, range(len(checked.findings))[:1])
            if number % between == 0:
                yield sample(number)


def _fail(text: str) -> NoReturn:
    raise RuntimeError(text)


def texts(text: str, edited: Sequence[str], count: int) -> Iterator[str]:
    """The texts after each of so many edits of a file, every second of which takes one back."""
    random = Random(0)
    for number in range(count):
        yield random.choice(edited) if number % 2 == 0 else text


def model_edits(text: str, count: int) -> list[str]:
    """Edits of a file of models: of sizes, imports, bodies, comments."""
    return [new for kind in KINDS for new in edits(text, kind, count) if parses(new)]


def method_edits(text: str) -> list[str]:
    """Lines typed into functions, constructors among them."""
    kinds = methods.KINDS.values()
    return [new for typed, is_made in kinds for new in methods.edited(text, typed, MANY, is_constructor=is_made)]


def sample(number: int) -> Sample:
    """What is held now."""
    gc.collect()
    with open("/proc/self/statm") as statm:
        pages = int(statm.read().split()[1])
    return Sample(number, pages * os.sysconf("SC_PAGE_SIZE") // 1024, len(gc.get_objects()), len(DimExpr._interned))


def growth(samples: list[Sample], name: str) -> dict[str, float]:
    """The figure of the first sample, the largest of the last fifth of the edits, and their ratio."""
    first, *_ = samples
    late = max(getattr(s, name) for s in samples if s.edits > samples[-1].edits * 4 / 5)
    return {
        f"after {first.edits} edits": getattr(first, name),
        "last fifth": late,
        "ratio": round(late / getattr(first, name), 3),
    }


if __name__ == "__main__":
    main()
