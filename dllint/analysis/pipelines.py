"""Pipelines that images or batches of data go through, as lists of the transforms that make them up."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.ir.events import LibraryCall
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, ListVal, Value

COMPOSE: Final = "torchvision.transforms.Compose"
#: So deep may pipelines stand in pipelines.
_DEEPEST: Final = 8


def transforms(call: LibraryCall) -> list[InstanceVal] | None:
    """The transforms of a call of ``Compose``, those of inner ones in their place; ``None`` if not all of them are known."""
    if call.name != COMPOSE or not call.given:
        return None
    return _flat(call.given[0], 0)


def _flat(value: Value, depth: int) -> list[InstanceVal] | None:
    items = value.items if isinstance(value, ListVal) and value.rest is None else value
    if not isinstance(items, (list, tuple)) or depth > _DEEPEST:
        return None
    out: list[InstanceVal] = []
    for item in items:
        if not isinstance(item, InstanceVal):
            return None
        inner = _flat(_listed(item), depth + 1) if class_of(item) == COMPOSE else [item]
        if inner is None:
            return None
        out += inner
    return out


def _listed(compose: InstanceVal) -> Value:
    """What a pipeline was made of."""
    configuration = compose.kept("configuration")
    return next(iter(configuration.args), None) if isinstance(configuration, Arguments) else None


def class_of(instance: InstanceVal) -> str:
    """The qualified name of a library class; empty for other objects."""
    return instance.cls.name if isinstance(instance.cls, LibSymbol) else ""


_DATASET: Final = "tensorflow.data.Dataset."


def steps_before(call: LibraryCall, calls: list[LibraryCall]) -> Iterator[LibraryCall]:
    """The methods of a ``tf.data.Dataset`` that gave the receiver of one, the last first."""
    return steps_to(call.receiver, calls[: calls.index(call)])


def steps_to(dataset: Value, calls: list[LibraryCall]) -> Iterator[LibraryCall]:
    """The methods of a ``tf.data.Dataset``, among some calls, that gave a data set, the last first."""
    for one in reversed(calls):
        if one.result is dataset and one.name.startswith(_DATASET) and isinstance(dataset, InstanceVal):
            yield one
            dataset = one.receiver
