"""Recall of DLO101 on public training code: files that step in a loop, with every ``zero_grad()`` line taken out.

python -m benchmarks.recall.seed_zero_grad --peers DIR [--missed]

A file counts if all its ``zero_grad`` are statements of their own and at least one stood inside a ``for`` or ``while`` that
also holds a ``backward()`` and a ``step()``. It is detected if DLO101 is reported, and a false alarm if it was before.
"""

from __future__ import annotations

import argparse
import ast
import re
import warnings
from collections.abc import Iterator
from pathlib import Path

from benchmarks import results
from dllint.config.discovery import Configuration
from dllint.engine.session import Session

REPOSITORIES = ("pytorch+examples", "OrderLab+TrainCheck-Evaluation-Workloads", "huggingface+pytorch-image-models")
CODE = "DLO101"
LINE = re.compile(r"^(\s*)[\w.]+\.zero_grad\([^)]*\)[ \t]*$", re.MULTILINE)
STEP = frozenset({"zero_grad", "backward", "step"})


def main() -> None:
    """Seed, check, print, write ``results/recall-zero-grad.json``."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", type=Path, required=True)
    parser.add_argument("--missed", action="store_true", help="list the files in which nothing was found")
    options = parser.parse_args()
    present = [name for name in REPOSITORIES if (options.peers / name).is_dir()]
    before, found, missed = 0, 0, []
    for path, text in trainers(options.peers, present):
        before += reported(path, text)
        if reported(path, LINE.sub(r"\1pass", text)):
            found += 1
        else:
            missed.append(str(path.relative_to(options.peers)))
    figures = {
        "not present": sorted({*REPOSITORIES} - {*present}),
        "files": found + len(missed),
        "detected": found,
        "before": before,
    }
    print(figures, *(missed if options.missed else ()), sep="\n")
    print(f"written: {results.write('recall-zero-grad', {**figures, 'missed': missed}).name}")


def trainers(peers: Path, repositories: list[str]) -> Iterator[tuple[Path, str]]:
    """The files that count, with their texts."""
    for name in repositories:
        for path in sorted((peers / name).rglob("*.py")):
            text = path.read_text(encoding="utf-8", errors="replace")
            if "zero_grad" in text and "zero_grad" not in LINE.sub("", text) and steps_in_a_loop(text):
                yield path, text


def steps_in_a_loop(text: str) -> bool:
    """Whether a loop holds a whole training step, written out."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = ast.parse(text)
    except SyntaxError:
        return False
    loops = (node for node in ast.walk(tree) if isinstance(node, ast.For | ast.While))
    return any({part.attr for part in ast.walk(loop) if isinstance(part, ast.Attribute)} >= STEP for loop in loops)


def reported(path: Path, text: str) -> bool:
    """Whether the rule reports anything in a text in place of a file's."""
    session = Session(Configuration(isolated=True, overrides={"select": (CODE,)}))
    return any(finding.code == CODE for finding in session.check_bytes(path, text.encode()).findings)


if __name__ == "__main__":
    main()
