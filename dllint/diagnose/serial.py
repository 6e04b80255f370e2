"""Records as JSON and back. Numbers that are not finite are the strings ``nan``, ``inf`` and ``-inf``."""

from __future__ import annotations

import math
import types
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from functools import cache
from typing import Any, Final, TypeVar, Union, get_args, get_origin, get_type_hints

T = TypeVar("T")
#: No count, time or seed of a run is as large.
_LARGEST: Final = 2**128


def to_json(value: Any) -> Any:
    """A record as what :mod:`json` can write."""
    if is_dataclass(value) and not isinstance(value, type):
        return {field.name: to_json(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {str(key): to_json(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [to_json(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def from_json(kind: type[T], data: Any) -> T:
    """A record of type ``kind`` from what :func:`to_json` gave.

    Raises:
        KeyError, TypeError, ValueError: the data is not of such a record.
    """
    record: T = _read(kind, data)
    return record


def _read(kind: Any, data: Any) -> Any:
    if is_dataclass(kind) and isinstance(kind, type):
        return kind(**{name: _read(hint, data[name]) for name, hint in _hints(kind).items() if name in data})
    origin, arguments = get_origin(kind), get_args(kind)
    if origin is tuple:
        return tuple(_read(arguments[0], item) for item in data)
    if origin is Mapping:
        return {key: _read(arguments[1], item) for key, item in data.items()}
    if origin in (Union, types.UnionType):
        return None if data is None else _read(_chosen(arguments, data), data)
    if isinstance(data, int) and abs(data) > _LARGEST:
        raise ValueError("a number is too large")
    if kind is float:
        return float(data)
    if kind in (int, str, bool) and type(data) is not kind:
        raise TypeError(f"{data!r:.40} is no {kind.__name__}")
    return data


def _chosen(kinds: tuple[Any, ...], data: Any) -> Any:
    """The member of a union that a datum is of."""
    structured = [kind for kind in kinds if is_dataclass(kind)]
    if structured and isinstance(data, dict):
        return structured[0]
    if isinstance(data, str) and data in ("nan", "inf", "-inf") and float in kinds:
        return float
    return next((kind for kind in kinds if isinstance(kind, type) and type(data) is kind), Any)


@cache
def _hints(kind: type) -> dict[str, Any]:
    return get_type_hints(kind)
