"""Optimizers as the program makes them: their small number against divisions by 0, and the element type of what they train."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

from dllint.analysis.facts import Facts
from dllint.domains.dtype import DType
from dllint.domains.finite import as_float
from dllint.frameworks import registry
from dllint.ir.events import LibraryCall
from dllint.ir.program import TensorVal
from dllint.ir.values import DictVal, InstanceVal, IterVal, ListVal, Value, unwrap
from dllint.ops.kinds import does
from dllint.ops.traits import Trait

#: How libraries call the number that is added to the divisor.
_NAMES: Final = ("eps", "epsilon")
_MODULES: Final = ("torch.optim.", "keras.optimizers.", "tensorflow.train.", "tensorflow.contrib.opt.")
_DEEPEST: Final = 4


def epsilon_name(event: LibraryCall) -> str | None:
    """What the constructor that an event calls names its small number; ``None`` if it is no optimizer's, or has none."""
    if not event.name.startswith(_MODULES):
        return None
    known = {param.name for param in registry.parameters(event.name) or ()}
    return next((epsilon for epsilon in _NAMES if epsilon in known), None)


def epsilon(event: LibraryCall, name: str) -> float | None:
    """The small number that a constructor is given, or its default; ``None`` if it is not known."""
    if name in event.bound:
        return _number(unwrap(event.bound[name]))
    if event.unbound:
        return None
    default = next((param.default for param in registry.parameters(event.name) or () if param.name == name), None)
    return _number(default)


def _number(value: Value) -> float | None:
    return as_float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def parameter_types(event: LibraryCall) -> set[DType]:
    """The element types of the parameters that a torch optimizer is made for; groups with a small number of their own are
    left out."""
    return {tensor.dtype for tensor in _tensors(event.bound.get("params")) if isinstance(tensor.dtype, DType)}


def _tensors(value: Value, depth: int = _DEEPEST) -> Iterator[TensorVal]:
    value = unwrap(value)
    if isinstance(value, TensorVal):
        yield value
    if depth == 0:
        return
    for part in _parts(value):
        yield from _tensors(part, depth - 1)


def _parts(value: Value) -> tuple[Any, ...]:
    if isinstance(value, (ListVal, IterVal)):
        return (*value.items, value.rest)
    if isinstance(value, DictVal):
        return (value.items.get("params"),) if "eps" not in value.items else ()
    return value if isinstance(value, tuple) else ()


def trained_loss(event: LibraryCall) -> tuple[InstanceVal, TensorVal] | None:
    """The optimizer and the loss of a call that makes a training operation of a graph."""
    operation = event.result
    if not isinstance(operation, InstanceVal):
        return None
    optimizer, loss = (operation.state.get(key) for key in ("optimizer", "loss"))
    return (optimizer, loss) if isinstance(optimizer, InstanceVal) and isinstance(loss, TensorVal) else None


def graph_weight_types(loss: TensorVal, facts: Facts) -> set[DType]:
    """The element types of the variables that a loss in a graph is computed from; of layers, the loss's own."""
    found = {op.output.dtype for op in facts.ancestors(loss) if does(op, Trait.VARIABLE) and op.outputs} or {loss.dtype}
    return {dtype for dtype in found if isinstance(dtype, DType)}
