"""Functions that make one tensor of two, of the shape that both are broadcast to, found by calling them."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any, Final

_PAIRS: Final = (((3, 4), (3, 4)), ((3, 4), (4,)), ((1, 4), (3, 1)), ((2, 1, 4), (3, 1)), ((0, 4), (1, 4)), ((), (3,)))
_KINDS: Final = ("float32", "int32", "bool")


def is_elementwise(name: str) -> bool:
    """Whether every result has the shape that the operands are broadcast to."""
    import numpy

    library, *rest = name.split(".")
    function: Any = __import__(library)
    for part in rest:
        function = getattr(function, part)
    return all(_shape(library, function, pair) == numpy.broadcast_shapes(*pair) for pair in _PAIRS)


def _shape(library: str, function: Callable[..., Any], shapes: tuple[tuple[int, ...], ...]) -> tuple[int, ...] | None:
    """The shape of a result; ``None`` if there is none in any element type."""
    for kind in _KINDS:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            try:
                return tuple(function(*(_made(library, shape, kind) for shape in shapes)).shape)
            except Exception:  # of another type, it may have one
                continue
    return None


def _made(library: str, shape: tuple[int, ...], kind: str) -> Any:
    module = __import__(library)
    return module.ones(shape, dtype=getattr(module, kind, kind))
