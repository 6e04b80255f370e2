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

#: What Python tells otherwise: the first parameter may be called ``start``, and the type be given by its position.
_ARANGE: Final[Signature] = [
    ["start", "pos"], ["stop", "pos", None], ["step", "pos", None], ["dtype", "pos", None], ["device", "only", None],
    ["like", "only", None],
]  # fmt: skip
#: Keywords of older releases, which code in use still gives.
_FORMER: Final[dict[str, str]] = {
    "numpy.reshape": "newshape",
    **dict.fromkeys(("numpy.percentile", "numpy.quantile", "numpy.nanpercentile", "numpy.nanquantile"), "interpolation"),
}


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
    """None: every function has its own signature."""
    return {}


def closed() -> dict[str, Signature]:
    """Signatures that Python does not report correctly."""
    return {"numpy.arange": _ARANGE}


def more() -> dict[str, Signature]:
    """The keywords of older releases."""
    return {name: [[keyword, "also"]] for name, keyword in _FORMER.items()}
