"""Work that would only repeat itself: equal constructor calls, equal blocks in a row.

Deep models are stacks of blocks built by one call in a loop. An object built with the same arguments as the last one of
its class is a copy of that one, and a block that is structurally equal to the one just applied, to an input of the type
that one had, is not applied again.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from dllint.domains.dim import DimExpr, same
from dllint.ir.values import Arguments, ClassVal, DictVal, InstanceVal, LayerConfig, ListVal, SetVal, Value
from dllint.lower.joining import alike

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """The last object of a class as its constructor left it, and what it was made with. It stands by itself: what the program
    does to the object later, as a Keras layer that takes its width from its first input, is nothing that the next one has."""

    arguments: Arguments
    instance: InstanceVal


def remember(m: Interpreter, cls: ClassVal, arguments: Arguments, instance: InstanceVal) -> None:
    """Keep an object that has just been built."""
    m.made[id(cls)] = Made(arguments, _copy(instance, arguments))


def copy_of_last(m: Interpreter, cls: ClassVal, arguments: Arguments) -> InstanceVal | None:
    """A copy of the last object of a class if it was made with the same arguments, else ``None``."""
    last = m.made.get(id(cls))
    if last is None or not last.instance.attrs or not _same(last.arguments, arguments):
        return None
    out = _copy(last.instance, arguments)
    out.site = m.site
    return out


def _copy(instance: InstanceVal, arguments: Arguments) -> InstanceVal:
    """A copy that holds the same arguments."""
    shared: dict[int, Value] = {id(v): v for v in (*arguments.args, *arguments.kwargs.values()) if isinstance(v, InstanceVal)}
    return _copied_instance(instance, shared)


def _same(a: Arguments, b: Arguments) -> bool:
    if a.star is not None or b.star is not None or a.double_star is not None or b.double_star is not None:
        return False
    if len(a.args) != len(b.args) or a.kwargs.keys() != b.kwargs.keys():
        return False
    return all(map(_interchangeable, a.args, b.args)) and all(_interchangeable(v, b.kwargs[k]) for k, v in a.kwargs.items())


def _interchangeable(a: Value, b: Value) -> bool:
    """Whether an object made with one is an object made with the other; two sizes that are not known need not be equal."""
    if isinstance(a, DimExpr):
        return isinstance(b, int | DimExpr) and same(a, b)
    return a is b if isinstance(a, InstanceVal) else alike(a, b)


def copied(value: Value, known: dict[int, Value]) -> Value:
    """A copy of a mutable value and of what it holds; sharing inside it is kept. ``known`` maps ``id`` to copies."""
    if id(value) in known:
        return known[id(value)]
    if isinstance(value, (ListVal, SetVal)):
        out = known[id(value)] = type(value)([], value.rest)
        out.items.extend(copied(item, known) for item in value.items)
        return out
    if isinstance(value, DictVal):
        mapping = known[id(value)] = DictVal({}, value.rest)
        mapping.items.update({k: copied(v, known) for k, v in value.items.items()})
        return mapping
    if isinstance(value, tuple):
        return tuple(copied(item, known) for item in value)
    return _copied_instance(value, known) if isinstance(value, InstanceVal) else value


def _copied_instance(value: InstanceVal, known: dict[int, Value]) -> InstanceVal:
    out = InstanceVal(value.cls, {}, value.site, None, value.open)
    known[id(value)] = out
    if value.layer is not None:
        out.layer = LayerConfig(value.layer.row, dict(value.layer.args), value.layer.nodes, value.layer.defaulted)
    out.attrs.update({k: copied(v, known) for k, v in value.attrs.items()})
    out.state.update({k: copied(v, known) for k, v in value.state.items()})
    return out


def same_block(a: Value, b: Value) -> bool:
    """Whether two objects are structurally equal modules."""
    return isinstance(a, InstanceVal) and isinstance(b, InstanceVal) and alike(a, b, loose=True)
