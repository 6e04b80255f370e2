"""What the editor benchmarks with a file of a given size have in common: options, a scratch directory, a result file."""

from __future__ import annotations

import argparse
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks import results


def run(name: str, doc: str | None, measure: Callable[[Path, int, int], dict[str, Any]], *, lines: int, rounds: int) -> None:
    """Measure, print, write ``results/<name>.json``; ``measure`` gets a directory, the lines and the rounds."""
    parser = argparse.ArgumentParser(description=doc, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=lines)
    parser.add_argument("--rounds", type=int, default=rounds)
    options = parser.parse_args()
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    with tempfile.TemporaryDirectory() as directory:
        figures = measure(Path(directory), options.lines, options.rounds)
    print(figures)
    print(f"written: {results.write(name, figures).name}")
