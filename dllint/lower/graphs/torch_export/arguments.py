"""Arguments of nodes in the JSON of exported programs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final

from dllint.lower.graphs.torch_export.types import SCALARS


@dataclass(frozen=True, slots=True)
class Reference:
    """The value that a name stands for: a tensor, or a size."""

    name: str


#: Kinds of arguments that say where and how numbers are kept.
_STORAGE: Final = frozenset(
    {"as_device", "as_layout", "as_memory_format", "as_none", "as_graph", "as_operator", "as_custom_obj"}
)


def read(argument: Mapping[str, Any]) -> Any:
    """An argument as plain data: numbers, text, element types, :class:`Reference` and tuples; ``None`` for the rest."""
    ((kind, value),) = argument.items()
    if kind in _STORAGE:
        return None
    if kind == "as_scalar_type":
        return SCALARS.get(value)
    if kind == "as_optional_tensors":
        return tuple(map(read, value))
    if isinstance(value, list):
        return tuple(_item(item) for item in value)
    return _item(value)


def _item(value: Any) -> Any:
    if not isinstance(value, dict):
        return value
    name = value.get("name", value.get("as_name"))
    if name is None:
        return value.get("as_int")
    return Reference(named(name))


def named(value: Any) -> str:
    """The name of a value.

    Raises:
        TypeError: it is no text.
    """
    if not isinstance(value, str):
        raise TypeError("the name of a value is no text")
    return value


def references(value: Any) -> Iterator[str]:
    """The names in an argument."""
    if isinstance(value, Reference):
        yield value.name
    elif isinstance(value, tuple):
        for item in value:
            yield from references(item)


def outputs(node: Mapping[str, Any]) -> tuple[str, ...]:
    """The names of a node's results; sizes are none."""
    found = (read(output) for output in node.get("outputs", ()) if not any(kind.startswith("as_sym") for kind in output))
    return tuple(name for value in found for name in (references(value) if value is not None else ("",)))
