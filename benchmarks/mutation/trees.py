"""Copies of the repository at a commit, in which files may be changed."""

from __future__ import annotations

import shutil
import subprocess
import tarfile
from io import BytesIO
from pathlib import Path
from typing import Final

_ROOT: Final = Path(__file__).parents[2]
#: Where copies and coverage lie; not kept in the repository.
BUILD: Final = _ROOT / "build" / "mutation"


def resolved(commit: str) -> str:
    """The abbreviated hash of a commit. Raises ``subprocess.CalledProcessError`` if there is none of that name."""
    command = ["git", "rev-parse", "--verify", "--short=12", f"{commit}^{{commit}}"]
    return subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=True).stdout.strip()


def tree_of(commit: str) -> Path:
    """A copy of what is tracked at the commit, with this package for its plugins; made once."""
    tree = BUILD / commit / "tree-0"
    if not tree.exists():
        archive = subprocess.run(["git", "archive", commit], cwd=_ROOT, capture_output=True, check=True).stdout
        with tarfile.open(fileobj=BytesIO(archive)) as members:
            members.extractall(tree, filter="data")
    shutil.copytree(Path(__file__).parent, tree / "benchmarks" / "mutation", dirs_exist_ok=True)
    return tree


def further_trees(tree: Path, count: int) -> list[Path]:
    """The tree and copies of it, ``count`` together, with the compiled modules that it has."""
    copies = [tree.with_name(f"tree-{number}") for number in range(1, count)]
    for copy in copies:
        shutil.rmtree(copy, ignore_errors=True)
        shutil.copytree(tree, copy, symlinks=True)
    return [tree, *copies]
