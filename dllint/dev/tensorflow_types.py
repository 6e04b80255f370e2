"""Element types that TensorFlow's functions refuse whatever the device, found by calling them: those that their operations are
not defined for; and which of them broadcast two tensors."""

from __future__ import annotations

import itertools
import json
import re
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

_PATH: Final = Path(__file__).parents[1] / "frameworks" / "signatures" / "tensorflow.json"
_TYPES: Final = ("float32", "float64", "int64", "int32", "int16", "int8", "uint8", "bool", "complex64", "complex128")
_SHAPES: Final = ((3, 3), (3,), (2, 3, 3), (1, 4, 4, 3))
#: Parameters that are no tensors, with arguments that fit many functions.
_OTHERS: Final[Mapping[str, Any]] = {"axis": 0, "k": 1, "depth": 3, "num_classes": 3, "perm": None, "multiples": None}
#: What TensorFlow says of types that an operation is not defined for, and of tensors of two types.
_UNDEFINED: Final = re.compile(r"Value for attr '\w+' of \w+ is not in the list of allowed values")
_MIXED: Final = re.compile(r"was expected to be an? \w+ tensor but is an? \w+ tensor")
_MOST_PARAMETERS: Final = 3


def rows(needed: Mapping[str, Any]) -> Iterator[tuple[str, dict[str, Any]]]:
    """What functions ask of the types of their tensors. ``needed`` has the parameters that have to be given."""
    for name in json.loads(_PATH.read_text(encoding="utf-8")):
        params = list(needed.get(name, ()))
        function = _function(name)
        if function is not None and 0 < len(params) <= _MOST_PARAMETERS and (found := _row(function, params)):
            yield name, found


def _function(name: str) -> Any:
    import tensorflow

    found: Any = tensorflow
    for part in name.split(".")[1:]:
        found = getattr(found, part, None)
    return found if callable(found) and not isinstance(found, type) else None


def _row(function: Callable[..., Any], params: list[str]) -> dict[str, Any]:
    tensors = [param for param in params if param not in _OTHERS]
    for shape, kind in itertools.product(_SHAPES, ("float32", "int32")):
        if kind == "int32" and len(tensors) > 1:
            continue  # some of them are numbers of elements or sizes
        if tensors and _raised(function, params, dict.fromkeys(tensors, kind), shape) == "":
            refused = [name for name in _TYPES
                       if _UNDEFINED.search(_raised(function, params, dict.fromkeys(tensors, name), shape))]  # fmt: skip
            same = tensors if len(tensors) == 2 and _takes_one_type(function, params, tensors, shape) else []
            broadcasts = tensors if len(tensors) == 2 and _broadcasts(function, params, tensors, kind) else []
            found = {"typed": tensors, "refused": refused, "same": same, "broadcasts": broadcasts}
            return {key: value for key, value in found.items() if value} if refused or same or broadcasts else {}
    return {}


def _broadcasts(function: Callable[..., Any], params: list[str], tensors: list[str], kind: str) -> bool:
    """Whether each of two tensors is broadcast to the other."""
    import tensorflow

    def runs(*shapes: tuple[int, ...]) -> bool:
        values = {name: tensorflow.ones(shape, kind) for name, shape in zip(tensors, shapes, strict=True)}
        return _error(function, params, values) == ""

    fitting = (((3, 4), (3, 4)), ((3, 4), (4,)), ((1, 4), (3, 1)), ((2, 1, 4), (3, 1)))
    unfit = (((3, 4), (3, 5)), ((3, 4), (2, 4)), ((5,), (4,)), ((3, 4, 1), (3, 4)))  # losses take the last one
    return all(runs(*pair) for pair in fitting) and not any(runs(*pair) for pair in unfit)


def _takes_one_type(function: Callable[..., Any], params: list[str], tensors: list[str], shape: tuple[int, ...]) -> bool:
    """Whether two tensors of different types are refused, whatever the types are."""
    pairs = [pair for pair in itertools.permutations(_TYPES, 2)
             if all(_raised(function, params, dict.fromkeys(tensors, name), shape) == "" for name in pair)]  # fmt: skip
    errors = (_raised(function, params, dict(zip(tensors, pair, strict=True)), shape) for pair in pairs)
    return bool(pairs) and all(_MIXED.search(error) for error in errors)


def _raised(function: Callable[..., Any], params: list[str], types: Mapping[str, str], shape: tuple[int, ...]) -> str:
    """What a call with tensors of some types raises, as text; empty if it runs."""
    import tensorflow

    numbers = tensorflow.ones(shape)
    if len(shape) > 1 and shape[-1] == shape[-2]:  # matrices that have an inverse
        numbers += tensorflow.eye(shape[-1])
    return _error(function, params, {name: tensorflow.cast(numbers, kind) for name, kind in types.items()})


def _error(function: Callable[..., Any], params: list[str], values: Mapping[str, Any]) -> str:
    try:
        function(*(values.get(param, _OTHERS.get(param)) for param in params))
    except Exception as error:
        return str(error) or type(error).__name__
    return ""
