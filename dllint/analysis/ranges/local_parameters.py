"""Parameters that a function makes of a tensor for its own use: nothing trains them, so that they keep the tensor's numbers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from dllint.ir import events
from dllint.ir.program import Program, TensorVal
from dllint.ir.values import DictVal, InstanceVal, ListVal, Value

_MAKER: Final = "torch.nn.Parameter"
_TRAINING: Final = (events.Backward, events.Step)


def local_parameters(program: Program) -> dict[int, TensorVal]:
    """By ``id`` of a parameter that a function has made, and that nothing but operations of the same call of it take: the
    tensor of which it is made. Where a program differentiates anything, none."""
    if any(isinstance(event, _TRAINING) for event in program.events):
        return {}
    made = {event.result.id: event for event in _made(program) if isinstance(event.result, TensorVal)}
    kept = {value.id for value in _kept(program)} if made else set()
    out = {}
    for number, event in made.items():
        data = event.bound.get("data")
        if number not in kept and isinstance(data, TensorVal):
            out[number] = data
    for op in program.ops if out else ():
        for value in op.inputs:
            if value.id in out and op.scope != made[value.id].scope:
                del out[value.id]
    return out


def _made(program: Program) -> Iterator[events.LibraryCall]:
    """The calls in functions that make a parameter."""
    for event in program.events:
        if (
            isinstance(event, events.LibraryCall)
            and event.name == _MAKER
            and event.scope
            and not event.scope.endswith("__init__")
        ):
            yield event


def _kept(program: Program) -> Iterator[TensorVal]:
    """Tensors that an object has, or that are given to an object, a function or a list."""
    for event in program.events:
        if isinstance(event.owner, InstanceVal):
            yield from _tensors(event.owner)
        if isinstance(event, events.Instance):
            yield from _tensors(event.instance)
        elif isinstance(event, (events.Return, events.Kept, events.AttributeWrite)):
            yield from _tensors(event.value)
        elif isinstance(event, events.OpaqueCall):
            yield from _tensors(ListVal(list(event.values)))
        elif isinstance(event, events.LibraryCall) and isinstance(event.result, InstanceVal):
            yield from _tensors(ListVal(list(event.given)))


def _tensors(value: Value, depth: int = 2) -> Iterator[TensorVal]:
    """A tensor, or those among the parts of a list, a table or an object."""
    if isinstance(value, TensorVal):
        yield value
    elif depth and isinstance(value, (ListVal, DictVal, InstanceVal)):
        parts = (
            value.items if isinstance(value, ListVal) else (value.items if isinstance(value, DictVal) else value.attrs).values()
        )
        for part in parts:
            yield from _tensors(part, depth - 1)
