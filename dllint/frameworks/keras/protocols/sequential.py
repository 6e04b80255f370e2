"""``Sequential``: a stack of layers, built while it grows if its input shape is known, else on its first input."""

from __future__ import annotations

from functools import partial

from dllint.domains.dim import differs
from dllint.domains.dtype import FLOAT32
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.frameworks.keras.protocols.construct import declared_input, keep_base_keywords
from dllint.frameworks.keras.protocols.layer import call_user_layer, called
from dllint.frameworks.keras.protocols.model import MODEL_CLASS, assigned_graph, checked_input, symbolic
from dllint.frameworks.keras.protocols.plain import argument, plain
from dllint.frameworks.keras.protocols.replay import between
from dllint.frameworks.keras.protocols.shapes import batched
from dllint.frameworks.machine import LIBRARY_BASES, Machine, constructor, each, handler
from dllint.ir.events import ModelGraph
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Arguments, InstanceVal, ListVal, Value
from dllint.ops.layers import demand

SEQUENTIAL = "keras.Sequential"
LIBRARY_BASES[SEQUENTIAL] = (MODEL_CLASS,)


@constructor(SEQUENTIAL)
def construct_sequential(machine: Machine, model: InstanceVal, arguments: Arguments) -> None:
    """``Sequential(layers=None)``."""
    machine.write(model.state, "layers", ListVal())
    given = argument(arguments, "layers", 0)
    keep_base_keywords(machine, model, arguments)
    if given is None:
        return
    members = machine.iterate(given)
    if isinstance(members, Unknown):
        machine.write(model.state, "open", members)
        return
    for member in members:
        _append(machine, model, member)
    machine.event(ModelGraph, model=model, inputs=model.state.get("inputs"), outputs=model.state.get("outputs"))


@handler(f"{SEQUENTIAL}.add", on=InstanceVal)
def add(machine: Machine, model: InstanceVal, arguments: Arguments) -> Value:
    """``add(layer)``: the stack's symbolic output, if it has one, goes through the new layer at once."""
    _append(machine, model, argument(arguments, "layer", 0))
    return None


def layers_of(model: InstanceVal) -> list[Value]:
    """The stack, inputs left out."""
    held = model.state.get("layers")
    return held.items if isinstance(held, ListVal) else []


def _append(machine: Machine, model: InstanceVal, member: Value) -> None:
    member = plain(member)
    if isinstance(member, TensorVal):
        _start(machine, model, member)
        return
    held = model.state.get("layers")
    if not isinstance(held, ListVal):  # no constructor has run: what it would have held is not known
        machine.write(model.state, "open", Unknown("no-state", SEQUENTIAL))
        return
    if not held.items and "inputs" not in model.state:
        _start_from(machine, model, member)
    machine.write(held.items, len(held.items), member)
    if "outputs" in model.state:
        machine.write(model.state, "outputs", _pass(machine, member, model.kept("outputs")))


def _start(machine: Machine, model: InstanceVal, tensor: TensorVal) -> None:
    machine.write(model.state, "inputs", tensor)
    machine.write(model.state, "outputs", tensor)


def _start_from(machine: Machine, model: InstanceVal, first: Value) -> None:
    """The input that the first member declares, or has if it is a model itself."""
    if not isinstance(first, InstanceVal):
        return
    if (found := declared_input(first)) is not None:
        with machine.at(first.site or machine.site):
            _start(machine, model, symbolic(machine, TensorType(batched(*found), FLOAT32), "input"))
    elif assigned_graph(first) is None and isinstance(inner := first.state.get("inputs"), TensorVal):
        _start(machine, model, machine.tensor(inner.type, framework="keras", name="input"))


def _pass(machine: Machine, member: Value, x: Value) -> Value:
    """``member(x)`` at the place where the member was written."""
    if isinstance(member, InstanceVal) and member.site is not None:
        with machine.at(member.site):
            return machine.call(member, Arguments((x,)))
    return machine.call(member, Arguments((x,)))


@handler(f"{SEQUENTIAL}.pop", on=InstanceVal)
def pop(machine: Machine, model: InstanceVal, arguments: Arguments) -> Value:
    """Removes the last layer; the stack is applied again to its input."""
    held = layers_of(model)
    if not held:
        return machine.unknown("empty-list", f"{SEQUENTIAL}.pop")
    machine.write(model.state, "layers", ListVal(held[:-1]))
    if "inputs" in model.state:
        machine.write(model.state, "outputs", run_stack(machine, model, model.kept("inputs")))
    return held[-1]


@handler(f"{SEQUENTIAL}.__call__", on=InstanceVal)
def call_sequential(machine: Machine, model: InstanceVal, arguments: Arguments) -> Value:
    """The stack on a tensor; a model without declared input is built by its first one."""
    method = machine.find_method(model.cls, "call")
    if method is not None:
        result = call_user_layer(machine, model, method, arguments)
    else:
        result = run_sequential(machine, model, argument(arguments, "inputs", 0))
    return called(machine, model, arguments, result)


def run_sequential(machine: Machine, model: InstanceVal, x: Value) -> Value:
    """The stack on ``x`` after the check against the declared input."""
    if (reason := model.state.get("open") or assigned_graph(model)) is not None:
        return reason
    declared = model.state.get("inputs")
    if isinstance(declared, TensorVal):
        is_one = len(machine.alternatives(x)) == 1
        x = each(machine, x, partial(_checked, machine, model, declared, is_one=is_one))
    return run_stack(machine, model, x)


def _checked(machine: Machine, model: InstanceVal, declared: TensorVal, x: Value, *, is_one: bool) -> Value:
    """The data as the declared input takes them; of one of several alternatives, no size is a fault."""
    if not isinstance(x, TensorVal):
        return x
    return checked_input(machine, declared, x, sizes=is_one and not _is_left_to_layers(model, declared, x))


def _is_left_to_layers(model: InstanceVal, declared: TensorVal, given: TensorVal) -> bool:
    """Whether only the layers say if they take data of these sizes.

    A stack refuses another number of axes than the declared one, as functional models do, but no other sizes: a layer with
    weights for as many features as were declared refuses others, whereas pictures may be larger and sequences longer (Keras
    3.15, run).
    """
    wanted, actual, outputs = declared.shape, given.shape, model.state.get("outputs")
    if isinstance(wanted, Unknown) or isinstance(actual, Unknown) or len(wanted) != len(actual):
        return False
    first = next(iter(between((declared,), (outputs,))), None) if isinstance(outputs, TensorVal) else None
    axis = None if first is None else _feature_axis(first)
    if axis is None or not -len(wanted) <= axis < len(wanted):
        return True
    return not differs(wanted[axis], actual[axis])


def _feature_axis(op: Op) -> int | None:
    """The axis whose size the weights of a layer follow."""
    if op.kind == "linear":
        return -1
    found = demand(op.kind, op.framework, op.args)
    return None if found is None else found.axis


def run_stack(machine: Machine, model: InstanceVal, x: Value) -> Value:
    """The layers one after the other."""
    for member in layers_of(model):
        x = _pass(machine, member, x)
    return x
