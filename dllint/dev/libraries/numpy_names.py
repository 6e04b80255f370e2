"""The public names of numpy whose signatures the numpy tables bind with."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Iterator
from typing import Any, Final

from dllint.dev.signatures import public
from dllint.dev.stubs import Signature

MODULES: Final = ("numpy", "numpy.random", "numpy.linalg")
CLASSES: Final = ("numpy.ndarray", "numpy.random.Generator", "numpy.random.RandomState")

#: C functions without a text signature.
_UNDOCUMENTED: Final[dict[str, Signature]] = {
    "numpy.arange": [["start", "pos"], ["stop", "pos", None], ["step", "pos", None], ["dtype", "pos", None]],
    "numpy.zeros": [["shape", "pos"], ["dtype", "pos", None], ["order", "pos", "C"]],
    "numpy.empty": [["shape", "pos"], ["dtype", "pos", None], ["order", "pos", "C"]],
    "numpy.array": [["object", "pos"], ["dtype", "pos", None], ["copy", "only", True], ["order", "only", "K"], ["subok",
    "only", False],
                    ["ndmin", "only", 0]],
    "numpy.asarray": [["a", "pos"], ["dtype", "pos", None], ["order", "pos", None]],
    "numpy.concatenate": [["arrays", "pos"], ["axis", "pos", 0], ["out", "pos", None], ["dtype", "only", None]],
    "numpy.dot": [["a", "pos"], ["b", "pos"], ["out", "pos", None]],
    "numpy.where": [["condition", "pos"], ["x", "pos", None], ["y", "pos", None]],
    "numpy.bincount": [["x", "pos"], ["weights", "pos", None], ["minlength", "pos", 0]],
}  # fmt: skip
_UNARY: Final[Signature] = [["x", "pos"], ["out", "pos", None], ["dtype", "only", None]]
_BINARY: Final[Signature] = [["x1", "pos"], ["x2", "pos"], ["out", "pos", None], ["dtype", "only", None]]


def names() -> Iterator[tuple[str, Any]]:
    """Every public callable of the listed modules and classes."""
    for module in MODULES:
        yield from public(importlib.import_module(module), module)
    numpy = importlib.import_module("numpy")
    for name in CLASSES:
        owner: Any = numpy
        for part in name.split(".")[1:]:
            owner = getattr(owner, part)
        yield from public(owner, name, inspect.isroutine)


def stubs() -> dict[str, Signature]:
    """Signatures of universal functions (by their number of operands) and of C functions without a text signature."""
    numpy = importlib.import_module("numpy")
    ufuncs = {name: value for name, value in public(numpy, "numpy") if isinstance(value, numpy.ufunc)}
    return {name: _UNARY if value.nin == 1 else _BINARY for name, value in ufuncs.items()} | _UNDOCUMENTED
