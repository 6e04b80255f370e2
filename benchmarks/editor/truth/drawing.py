"""Which public files can be run as they are, and what their names hold then."""

from __future__ import annotations

import ast
import importlib.util
import json
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

RECORDER = Path(__file__).with_name("recorder.py")
_CLASS = re.compile(r"^class \w+\(.*(Module|Model|Layer)\b", re.MULTILINE)
_MAIN = re.compile(r"^if __name__ ==", re.MULTILINE)
_TOP_LEVEL = re.compile(r"^[^\s#@].*", re.MULTILINE)
_INPUT = re.compile(r"torch\.(randn|rand|zeros|ones|randint|Tensor)\(|tf\.(random|zeros|ones)|np\.random|\bInput\(")
_NULLARY = re.compile(r"^def \w+\(\)[^:\n]*:\n((?:[ \t]+.*\n|\n)*)", re.MULTILINE)
_SECONDS = 60
_LARGEST = 200_000


def candidates(folders: Iterable[Path]) -> dict[Path, list[str]]:
    """By checkout, the files with a class of models and something that gives it random or empty tensors."""
    found: dict[Path, list[str]] = {}
    by_name = {repository.name: repository for folder in folders for repository in folder.iterdir()}
    for _, repository in sorted(by_name.items()):
        for path in sorted(repository.resolve().rglob("*.py")):
            if path.is_file() and path.stat().st_size < _LARGEST:
                text = path.read_text(encoding="utf-8", errors="replace")
                if _CLASS.search(text) and _INPUT.search(text) and _is_started(text):
                    found.setdefault(repository, []).append(str(path.relative_to(repository.resolve())))
    return found


def _is_started(text: str) -> bool:
    """Whether a file has a main part, makes tensors at its top level, or has a function without parameters that makes some."""
    if _MAIN.search(text) or any(_INPUT.search(line.group()) for line in _TOP_LEVEL.finditer(text)):
        return True
    return any(_INPUT.search(body) for body in _NULLARY.findall(text))


def is_runnable(repository: Path, file: str) -> bool:
    """Whether the modules that a file imports whatever happens are installed or lie in its repository, and none is named
    relative to its own, which a program has not; it may fail for more."""
    try:
        tree = ast.parse((repository / file).read_text(encoding="utf-8", errors="replace"))
    except (SyntaxError, ValueError):
        return False
    is_part = any(isinstance(one, ast.ImportFrom) and one.level for one in tree.body)
    return not is_part and all(_is_there(repository, name) for name in _imported(tree))


def _imported(tree: ast.Module) -> set[str]:
    """The packages that the statements of a module itself import."""
    plain = {alias.name for one in tree.body if isinstance(one, ast.Import) for alias in one.names}
    named = {one.module for one in tree.body if isinstance(one, ast.ImportFrom) and one.module and not one.level}
    return {name.partition(".")[0] for name in plain | named}


def _is_there(repository: Path, name: str) -> bool:
    if name in sys.builtin_module_names or importlib.util.find_spec(name) is not None:
        return True
    return any(True for pattern in (name, f"{name}.py") for _ in repository.resolve().rglob(pattern))


def shuffled(found: Mapping[Path, list[str]], seed: int) -> Iterator[tuple[Path, str]]:
    """Repositories by lot, with one file by lot from each; then a second one from each, and so on."""
    lot = random.Random(seed)
    ordered = sorted(found, key=lambda repository: repository.name)
    orders = {repository: lot.sample(found[repository], len(found[repository])) for repository in ordered}
    names = lot.sample(ordered, len(orders))
    for number in range(max(map(len, orders.values()), default=0)):
        yield from ((name, orders[name][number]) for name in names if number < len(orders[name]))


def recorded(repository: Path, file: str) -> dict[str, Any]:
    """What the names of a file hold when it runs: places, frames, and how the run ended. The network is out of reach."""
    with tempfile.TemporaryDirectory() as scratch:
        copy = Path(scratch) / "repository"
        shutil.copytree(repository.resolve(), copy, symlinks=True, ignore=shutil.ignore_patterns(".git"))
        out, work = Path(scratch) / "out.json", Path(scratch) / "work"
        work.mkdir()
        program = copy / file
        backend = "tensorflow" if "tensorflow" in program.read_text(encoding="utf-8", errors="replace") else "torch"
        command = [sys.executable, str(RECORDER), str(program), str(copy), str(out), str(_SECONDS)]
        environment = {**os.environ, "KERAS_BACKEND": backend, "MPLBACKEND": "Agg", "HOME": scratch, "OMP_NUM_THREADS": "1"}
        environment.pop("PYTHONPATH", None)
        try:
            subprocess.run(
                [*_without_network(), *command],
                cwd=work,
                env=environment,
                capture_output=True,
                timeout=_SECONDS * 3,
                check=False,
            )
            return json.loads(out.read_text(encoding="utf-8"))  # type: ignore[no-any-return]
        except (OSError, ValueError, subprocess.TimeoutExpired) as error:
            return {"ended": f"no record: {type(error).__name__}", "places": [], "frames": []}


def _without_network() -> list[str]:
    unshare = shutil.which("unshare")
    if unshare is None or subprocess.run([unshare, "-rn", "true"], capture_output=True, check=False).returncode:
        return []
    return [unshare, "-rn"]
