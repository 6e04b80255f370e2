"""The TensorFlow 2 names whose signatures the TensorFlow tables bind with."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any, Final

from dllint.dev.signatures import public
from dllint.dev.stubs import Signature

MODULES: Final = ("math", "nn", "random", "linalg", "image", "signal", "losses")


def names() -> Iterator[tuple[str, Any]]:
    """Every public callable of ``tf`` and of the listed modules."""
    tensorflow: Any = importlib.import_module("tensorflow")
    yield from public(tensorflow, "tensorflow")
    for module in MODULES:
        yield from public(getattr(tensorflow, module, None), f"tensorflow.{module}")


def stubs() -> dict[str, Signature]:
    """None: every function tells its own signature."""
    return {}
