"""What numpy's functions of elements ask of their arrays, found by calling them."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

_PATH: Final = Path(__file__).parents[1] / "frameworks" / "signatures" / "numpy.json"
_TYPES: Final = ("float32", "float64", "int64", "int32", "int16", "int8", "uint8", "bool", "complex64", "complex128")


def rows() -> Iterator[tuple[str, dict[str, Any]]]:
    """The element types that no loop of a function takes, and whether it broadcasts two arrays to each other."""
    import numpy

    for name, params in json.loads(_PATH.read_text(encoding="utf-8")).items():
        function = getattr(numpy, name.removeprefix("numpy."), None)
        if isinstance(function, numpy.ufunc) and function.signature is None and (found := _row(function, params)):
            yield name, found


def _row(function: Any, params: list[list[Any]]) -> dict[str, Any]:
    import numpy

    operands = [param[0] for param in params[: function.nin]]
    refused = [name for name in _TYPES if _refuses(function, [numpy.ones(3, name)] * function.nin)]
    if len(refused) == len(_TYPES):
        return {}
    found = {"typed": operands if refused else [], "refused": refused, "broadcasts": operands if function.nin == 2 else []}
    return {key: value for key, value in found.items() if value}


def _refuses(function: Callable[..., Any], arrays: list[Any]) -> bool:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            function(*arrays)
        except TypeError:
            return True
    return False
