"""Which adapter a spec's ``candidate`` means."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from dllint.bisection.errors import BisectionError
from dllint.bisection.protocols import Candidate

#: Suffix of a file → module and function that open it: ``(path, device) -> Candidate``.
FILES: Final = {".onnx": ("dllint.bisection.candidates.onnx_runtime", "opened")}


def candidate_of(value: Any, folder: Path, device: str) -> Candidate:
    """The adapter: an object with ``run`` is one itself, a file is opened by its suffix.

    Raises :class:`BisectionError` for what no adapter is known for, and if what the adapter needs is not installed.
    """
    if hasattr(value, "run") and hasattr(value, "outputs"):
        return value  # type: ignore[no-any-return]
    path = folder / str(value)
    if isinstance(value, str | Path) and path.suffix in FILES:
        if not path.is_file():
            raise BisectionError(f"there is no file {path}")
        opened: Candidate = _adapter(*FILES[path.suffix])(path, device)
        return opened
    known = ", ".join(FILES)
    raise BisectionError(f"nothing is known about the candidate {value!r}", f"name a file ({known}) or an object with `run`")


def _adapter(module: str, function: str) -> Callable[..., Candidate]:
    try:
        found: Callable[..., Candidate] = getattr(import_module(module), function)
    except ImportError as error:
        raise BisectionError(f"this candidate needs the package `{error.name}`", f"pip install {error.name}") from error
    return found
