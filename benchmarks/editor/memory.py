"""Memory of an editor session over thousands of edits of one model file.

python -m benchmarks.editor.memory [--edits 5000] [--lines 500]

A file of 500 lines is opened in one session, as the language server holds it, and edited again and again: each edit is typed
and taken back, at places drawn over the whole file. After every 100 edits everything that can be collected is, and the
resident memory, the number of objects that the collector knows, and the number of symbolic sizes are noted. What stays flat
does not grow for ever: the largest figure of the last fifth of the edits is compared with the largest up to the 500th.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

from benchmarks import results
from benchmarks.editor.latency import parses
from benchmarks.editor.model_edits import KINDS, edits, model_file
from dllint.config.discovery import Configuration
from dllint.domains.dim import DimExpr
from dllint.engine.session import Session
from dllint.source.document import Document

#: Edits between two samples, and edits after which a session has made all that it keeps.
BETWEEN = 100
WARM = 500


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
    options = parser.parse_args()
    samples = []
    for sample in held(options.edits, options.lines):
        print(sample, flush=True)
        samples.append(sample)
    figures = {
        "lines": options.lines,
        "edits": samples[-1].edits,
        **{name: growth(samples, name) for name in ("rss_kib", "objects", "sizes")},
        "samples": [[s.edits, s.rss_kib, s.objects, s.sizes] for s in samples],
    }
    print(json.dumps({name: figure for name, figure in figures.items() if name != "samples"}, indent=1))
    print(f"written: {results.write('editor-memory', figures).name}")


def held(count: int, lines: int, between: int = BETWEEN) -> Iterator[Sample]:
    """What a session holds after every so many edits of a file of about so many lines."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "models.py"
        path.write_text(model_file(lines))
        session = Session(Configuration(isolated=True), remember=True)
        for number, document in enumerate(documents(path, count), start=1):
            assert session.analyser(path).analyse(document).findings is not None
            if number % between == 0:
                yield sample(number)


def documents(path: Path, count: int) -> Iterator[Document]:
    """The documents after each of so many edits of a file, every second of which takes one back."""
    text = path.read_text()
    random, document = Random(0), Document.from_text(path, text)
    places = [new for kind in KINDS for new in edits(text, kind, count) if parses(new)]
    for number in range(count):
        document = document.edit(random.choice(places) if number % 2 == 0 else text)
        yield document


def sample(number: int) -> Sample:
    """What is held now."""
    gc.collect()
    with open("/proc/self/statm") as statm:
        pages = int(statm.read().split()[1])
    return Sample(number, pages * os.sysconf("SC_PAGE_SIZE") // 1024, len(gc.get_objects()), len(DimExpr._interned))


def growth(samples: list[Sample], name: str) -> dict[str, float]:
    """The largest figure until the session is warm, the largest at the end, and their ratio."""
    early = max(getattr(s, name) for s in samples if s.edits <= WARM)
    late = max(getattr(s, name) for s in samples if s.edits > samples[-1].edits * 4 / 5)
    return {f"until {WARM} edits": early, "last fifth": late, "ratio": round(late / early, 3)}


if __name__ == "__main__":
    main()
