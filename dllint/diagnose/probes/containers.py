"""Access to the contents of the user's containers without calling the user's methods.

Batches may be instances of any class. Those of Python are read by Python's own methods, whatever a class below them has defined
anew; other mappings only if all of their class comes from libraries.
"""

from __future__ import annotations

import sys
from collections import UserDict
from collections.abc import Callable, Iterator
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from dllint.diagnose.places import is_user_file


def parts(value: object) -> Iterator[tuple[str, Any]]:
    """The items of a container with their keys or positions; nothing for what is none."""
    if isinstance(value, dict):
        for key, item in dict.items(value):
            yield _named(key), item
    elif isinstance(value, list):
        yield from _numbered(list.__iter__(value))
    elif isinstance(value, tuple):
        yield from _numbered(tuple.__iter__(value))
    elif isinstance(value, UserDict):
        yield from parts(attribute(value, "data"))
    elif not is_tensor_like(value) and _is_mapping_of_a_library(type(value)):
        for key, item in value.items():  # type: ignore[attr-defined]
            yield _named(key), item


def attribute(owner: object, name: str, default: object = None) -> Any:
    """An attribute that an instance has itself, else one of its class. A property of a library computes it; methods for missing
    attributes and what the user has written do not."""
    state = state_of(owner)
    if name in state:
        return state[name]
    for kind in type(owner).__mro__:
        if name in vars(kind):
            found = vars(kind)[name]
            if not isinstance(found, property):
                return found
            code = getattr(found.fget, "__code__", None)
            is_own = code is None or is_user_file(code.co_filename)
            return default if is_own or found.fget is None else found.fget(owner)
    return default


def name_of(function: Callable[..., Any]) -> str:
    """The name of a function or class; empty for other objects without one. A function's name is read from the function itself,
    not from its attributes."""
    if isinstance(function, FunctionType | BuiltinFunctionType | MethodType | type):
        return function.__name__
    return str(attribute(function, "__name__", ""))


def has_attribute(owner: object, name: str) -> bool:
    """Whether an instance or its class has an attribute."""
    return name in state_of(owner) or any(name in vars(kind) for kind in type(owner).__mro__)


def has_code_of_the_user(kind: type) -> bool:
    """Whether a class or one that it is derived from is the user's own."""
    return any(_is_of_the_user(base) for base in kind.__mro__)


def is_tensor_like(value: object) -> bool:
    """Whether a value has a shape: its items are rows, and no parts."""
    return any("shape" in vars(kind) for kind in type(value).__mro__)


def state_of(owner: object) -> dict[str, Any]:
    """The attributes of an instance itself, whatever its class makes of attributes; empty if it has none."""
    try:
        state: dict[str, Any] = object.__getattribute__(owner, "__dict__")
    except AttributeError:
        return {}
    return state


def _numbered(items: Iterator[Any]) -> Iterator[tuple[str, Any]]:
    return ((str(index), item) for index, item in enumerate(items))


def _named(key: object) -> str:
    """A key as it is shown; a text of its own is only made of keys that are Python's."""
    return str(key) if isinstance(key, str | int | float | bytes) else type(key).__name__


def _is_mapping_of_a_library(kind: type) -> bool:
    has_items = any(callable(vars(base).get("items")) for base in kind.__mro__)
    return has_items and not has_code_of_the_user(kind)


def _is_of_the_user(kind: type) -> bool:
    file = getattr(sys.modules.get(kind.__module__), "__file__", None)
    return kind.__module__ == "__main__" or (file is not None and is_user_file(file))
