"""The scripts, and what they say about how they are run.

A script is a training program as people write them; it knows nothing of dllint. Comments at its beginning may say
``# backends: torch tensorflow jax`` (it is run once with each of these backends of Keras), ``# processes: 2`` (``torchrun``
starts it) and ``# arguments: ...``. What it imports and is not installed makes a case ``not present``, which is never a pass.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Final

SCRIPTS: Final = Path(__file__).parent / "scripts"
HEALTHY: Final = Path(__file__).parents[1] / "programs" / "healthy"
_TAKE_TORCHVISION: Final = {
    "torchvision",
    "timm",
    "lightning",
    "torchmetrics",
    "transformers",
    "accelerate",
    "fastai",
    "ignite",
}
_SAYS: Final = re.compile(r"^# (backends?|processes|arguments): (.+)$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Case:
    """A script with the backend of Keras (empty if it uses none), the number of processes that train together (0 for a
    program that is started without a launcher) and its arguments."""

    path: Path
    backend: str = ""
    processes: int = 0
    arguments: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What the case is called in results."""
        return f"{self.path.stem} ({self.backend})" if self.backend else self.path.stem

    @property
    def uses_torchvision(self) -> bool:
        """Whether libraries that the script imports may import torchvision."""
        return not _TAKE_TORCHVISION.isdisjoint(_imported(self.path.read_text(encoding="utf-8")))

    @property
    def missing(self) -> str | None:
        """A package that the script imports and that is not installed."""
        wanted = [*_imported(self.path.read_text(encoding="utf-8")), self.backend or "sys"]
        return next((name for name in wanted if find_spec(name) is None), None)


def cases(folder: Path = SCRIPTS, only: str = "") -> Iterator[Case]:
    """The cases of a folder, by name; only those with a text in their name."""
    for path in sorted(folder.glob("*.py")):
        said = {match[1]: match[2] for match in _SAYS.finditer(path.read_text(encoding="utf-8"))}
        backends = said.get("backends", said.get("backend", "torch" if _uses_keras(path) else "")).split() or [""]
        for backend in backends:
            case = Case(path, backend, int(said.get("processes", 0)), tuple(said.get("arguments", "").split()))
            if only in case.name:
                yield case


def _uses_keras(path: Path) -> bool:
    return not {"keras", "tensorflow"}.isdisjoint(_imported(path.read_text(encoding="utf-8")))


def _imported(text: str) -> list[str]:
    """The packages that a program imports anywhere."""
    found = []
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            found += [alias.name.partition(".")[0] for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.append(node.module.partition(".")[0])
    return found
