"""The results that TorchFix expects of its codemods, beside those of ``dllint migrate`` and ``dllint check --fix``."""

from __future__ import annotations

import ast
import difflib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_MIGRATE: Final = (sys.executable, "-m", "dllint", "migrate", "--to", "torch2")
_FIX: Final = (
    sys.executable, "-m", "dllint", "check", "--isolated", "--no-cache", "--no-environment", "--exit-zero",
    "--select", "DLA,DLA109,DLO114", "--fix-only", "--unsafe-fixes",
    "--target", "torch==2.13.0", "--target", "torchvision==0.25.0",
)  # fmt: skip
#: Fixture → why its rewritten lines have another form, or none, here.
REASONS: Final[dict[str, str]] = {
    "amp": "the device is given by keyword, which decides the same",
    "default_collate_convert": "from torch.utils.data, where the functions are public",
    "ger-outer": "the file keeps its name for what it imports",
    "register_pytree_node": "the file keeps its name for what it imports",
    "functorch": "the names of torch.func are reached through the import that the file has",
    "pretrained": "weights are named by a string, which needs no import",
    "pretrained_models_import": "weights are named by a string, which needs no import",
    "pretrained_submodule_import": "weights are named by a string, which needs no import",
    "range-arange": "arange of whole numbers gives int64, range gave floats: the type is written",
    "reentrant_checkpoint": "True is what the call computes today; False is another function",
}


@dataclass(frozen=True, slots=True)
class Rewrite:
    """A changed place: the lines before, those that TorchFix writes, and those that dllint writes."""

    fixture: str
    before: str
    wanted: str
    ours: str

    @property
    def verdict(self) -> str:
        """``same``, ``other form``, or ``left``."""
        if _plain(self.wanted) == _plain(self.ours):
            return "same"
        return "left" if _plain(self.before) == _plain(self.ours) else "other form"


def rewrites(fixtures: Path) -> list[Rewrite]:
    """Every place that a codemod of TorchFix changes."""
    pairs = [(path, path.with_name(path.name.replace(".in.", ".out."))) for path in sorted(fixtures.glob("*/codemod/*.in.py"))]
    with tempfile.TemporaryDirectory() as folder:
        copies = [Path(shutil.copy(path, folder)) for path, _ in pairs]
        for command in (_MIGRATE, _FIX):
            subprocess.run([*command, *map(str, copies)], capture_output=True, text=True, check=False, cwd=folder)
        ours = [path.read_text(encoding="utf-8") for path in copies]
    found = []
    for (before, after), own in zip(pairs, ours, strict=True):
        texts = before.read_text(encoding="utf-8"), after.read_text(encoding="utf-8"), own
        found += list(_places(before.name.removesuffix(".in.py"), *texts))
    return found


def _places(fixture: str, before: str, wanted: str, own: str) -> Iterator[Rewrite]:
    """The statements that are another after the codemod, each with what became of it."""
    old, theirs, ours = before.splitlines(), wanted.splitlines(), own.splitlines()
    mapped = _Lines(old, ours)
    for tag, start, end, begin, stop in _blocks(old, theirs):
        if tag == "equal":
            continue
        if end - start == stop - begin:
            for at in range(end - start):
                yield Rewrite(fixture, old[start + at], theirs[begin + at], mapped(start + at, start + at + 1))
        else:
            yield Rewrite(fixture, "\n".join(old[start:end]), "\n".join(theirs[begin:stop]), mapped(start, end))


def _blocks(old: list[str], new: list[str]) -> list[tuple[str, int, int, int, int]]:
    return [*difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes()]


class _Lines:
    """What became of a span of lines: those of the new text that stand at its place."""

    def __init__(self, old: list[str], new: list[str]) -> None:
        self.new = new
        self.at: dict[int, tuple[int, int]] = {}
        for _, start, end, begin, stop in _blocks(old, new):
            even = end - start == stop - begin
            for line in range(start, end):
                self.at[line] = (begin + line - start, begin + line - start + 1) if even else (begin, stop)

    def __call__(self, start: int, end: int) -> str:
        spans = [self.at[line] for line in range(start, end)]
        return "\n".join(self.new[min(a for a, _ in spans) : max(b for _, b in spans)]) if spans else ""


def _plain(text: str) -> str:
    """A statement without its layout and comments; the text as it is if it is none by itself."""
    try:
        return ast.dump(ast.parse(text.strip()))
    except SyntaxError:
        return " ".join(text.split())
