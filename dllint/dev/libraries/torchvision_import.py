"""Import torchvision's Python half where its compiled operators cannot be loaded (a CUDA build beside a CPU torch)."""

from __future__ import annotations

import importlib
import importlib.util
import re
from pathlib import Path
from types import ModuleType
from typing import Any

_declared: list[Any] = []


def import_torchvision() -> ModuleType:
    """torchvision, with its operators declared (not implemented) if its library does not load.

    Raises ModuleNotFoundError if torchvision is not installed.
    """
    try:
        return importlib.import_module("torchvision")
    except RuntimeError:
        _declare_operators()
        return importlib.import_module("torchvision")


def _declare_operators() -> None:
    spec = importlib.util.find_spec("torchvision")
    assert spec is not None
    assert spec.origin is not None
    root = Path(spec.origin).parent
    sources = [(root / name).read_text(encoding="utf-8") for name in ("_meta_registrations.py", "_autograd_registrations.py")]
    library = importlib.import_module("torch.library").Library("torchvision", "FRAGMENT")
    for name in sorted(set(re.findall(r'"torchvision::(\w+)"', "".join(sources)))):
        library.define(f"{name}(Tensor x) -> Tensor")
    _declared.append(library)  # a collected Library takes its operators with it
