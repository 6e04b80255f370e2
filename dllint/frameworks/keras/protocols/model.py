"""Functional models: symbolic inputs, the model object, and calling it on tensors."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import Dim, differs
from dllint.domains.dtype import BFLOAT16, FLOAT16, FLOAT32, FLOAT64
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.frameworks.keras.protocols.construct import keep_base_keywords
from dllint.frameworks.keras.protocols.layer import LAYER, call_user_layer, called
from dllint.frameworks.keras.protocols.plain import argument, is_of_tensors, plain, tensors
from dllint.frameworks.keras.protocols.replay import between, bindings, replay
from dllint.frameworks.keras.protocols.shapes import batched, declared, dtype_of
from dllint.frameworks.machine import LIBRARY_BASES, Machine, constructor, handler
from dllint.ir.events import ModelGraph, ModelInput
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, DictVal, InstanceVal, Value

MODEL_CLASS = "keras.Model"
LIBRARY_BASES[MODEL_CLASS] = (LAYER,)


@handler("keras.Input", "keras.layers.InputLayer")
def make_input(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``Input(shape)``: a symbolic batch. ``Input(tensor=t)`` is ``t``; ``batch_shape`` names the batch size, too."""
    given = argument(arguments, "tensor", 99) or argument(arguments, "input_tensor", 99)
    if isinstance(given, TensorVal):
        return given
    if given is not None:
        return machine.unknown("no-tensor", "tensor")
    full = next((plain(arguments.kwargs[k]) for k in ("batch_shape", "batch_input_shape") if k in arguments.kwargs), None)
    if full is not None:
        shape = batched(full[1:], full[0]) if isinstance(full, tuple) and full else declared(full)
    else:
        key = "input_shape" if "input_shape" in arguments.kwargs else "shape"
        shape = batched(argument(arguments, key, 0), argument(arguments, "batch_size", 1))
    dtype = dtype_of(argument(arguments, "dtype", 2))
    name = argument(arguments, "name", 99)
    return symbolic(machine, TensorType(shape, dtype), name if isinstance(name, str) else "")


def symbolic(machine: Machine, declared_type: TensorType, name: str) -> TensorVal:
    """A model's symbolic input, declared here."""
    value = machine.tensor(declared_type, framework="keras", name=name)
    machine.event(ModelInput, value=value)
    return value


@constructor(MODEL_CLASS)
def construct_model(machine: Machine, model: InstanceVal, arguments: Arguments) -> None:
    """``Model(inputs, outputs)`` records the graph; a subclass calls ``super().__init__()`` without them."""
    inputs = _first_of(arguments, 0, "inputs", "input")
    outputs = _first_of(arguments, 1, "outputs", "output")
    keep_base_keywords(machine, model, arguments)
    if inputs is not None and outputs is not None:
        become(machine, model, inputs, outputs)


def _first_of(arguments: Arguments, position: int, *names: str) -> Value:
    found = (argument(arguments, name, position) for name in names)
    return next((v for v in found if v is not None), None)


def become(machine: Machine, model: InstanceVal, inputs: Value, outputs: Value) -> None:
    """Make ``model`` the functional model from ``inputs`` to ``outputs``."""
    machine.write(model.state, "inputs", inputs)
    machine.write(model.state, "outputs", outputs)
    machine.event(ModelGraph, model=model, inputs=inputs, outputs=outputs)


@handler(f"{MODEL_CLASS}.__call__", on=InstanceVal)
def call_model(machine: Machine, model: InstanceVal, arguments: Arguments) -> Value:
    """A user-defined ``call``, or the recorded graph on the tensors given."""
    method = machine.find_method(model.cls, "call")
    if method is not None:
        result = call_user_layer(machine, model, method, arguments)
    elif (reason := assigned_graph(model)) is not None:
        result = reason
    elif "outputs" in model.state:
        result = run_graph(machine, model, argument(arguments, "inputs", 0))
    else:
        result = machine.unknown("unmodelled-model", getattr(model.cls, "name", ""))
    return called(machine, model, arguments, result)


def assigned_graph(model: InstanceVal) -> Unknown | None:
    """Why it is not known what a model computes whose inputs or outputs were assigned, which Keras up to 2 allows."""
    assigned = next((name for name in ("outputs", "inputs") if name in model.attrs), None)
    return None if assigned is None else Unknown("assigned-graph", assigned)


def run_graph(machine: Machine, model: InstanceVal, given: Value) -> Value:
    """The outputs of a functional model on ``given``, in the structure of its inputs (or a dict by input name)."""
    wanted, outputs = tensors(model.kept("inputs")), model.kept("outputs")
    actual = _in_order(wanted, plain(given))
    if actual is None:
        return machine.unknown("model-inputs", "more than tensors")
    if len(wanted) != len(actual):
        return machine.unknown("model-inputs", f"{len(actual)} tensors for {len(wanted)} inputs")
    made = tensors(outputs)
    fed = [checked_input(machine, w, a) for w, a in zip(wanted, actual, strict=True)]
    # An array that is an output as well comes out as a tensor.
    fed = [
        _converted(machine, w, a) if a.framework == "numpy" and any(w is out for out in made) else a
        for w, a in zip(wanted, fed, strict=True)
    ]
    size, fed = _in_declared_batches(wanted, fed)
    operations = between(wanted, made)
    mapping = {w.id: f for w, f in zip(wanted, fed, strict=True)}
    result = replay(machine, mapping, outputs, bindings(wanted, fed), operations)
    return result if size is None else _with_samples(result, wanted[0].type.shape, size)


def _in_declared_batches(wanted: tuple[TensorVal, ...], fed: list[TensorVal]) -> tuple[Dim | None, list[TensorVal]]:
    """The number of samples, where the inputs declare a batch of another size, and one batch of them.

    The operations of the graph hold a declared size as a number. Keras computes them with the size of what comes in.
    """
    declared = {None if isinstance(w.shape, Unknown) or not w.shape else w.shape[0] for w in wanted}
    samples = {None if isinstance(f.shape, Unknown) or not f.shape else f.shape[0] for f in fed}
    size, number = next(iter(declared), None), next(iter(samples), None)
    if len(declared) != 1 or len(samples) != 1 or not isinstance(size, int) or number is None or number == size:
        return None, fed
    return number, [f.redrawn(f.type.with_shape((size, *shape[1:]))) for f in fed if not isinstance(shape := f.shape, Unknown)]


def _with_samples(value: Value, declared: Shape | Unknown, samples: Dim) -> Value:
    """Outputs of a batch of the ``declared`` shape as those of all ``samples``."""
    if isinstance(value, tuple):
        return tuple(_with_samples(member, declared, samples) for member in value)
    if not isinstance(value, TensorVal) or isinstance(value.shape, Unknown) or isinstance(declared, Unknown):
        return value
    if not value.shape or value.shape[0] != declared[0]:
        return value
    return value.redrawn(value.type.with_shape((samples, *value.shape[1:])))


def _in_order(wanted: tuple[TensorVal, ...], given: Value) -> tuple[TensorVal, ...] | None:
    """The tensors given, in the order of the inputs; ``None`` if something else stands among them."""
    if isinstance(given, DictVal):
        named = [given.items.get(w.name) for w in wanted]
        if all(isinstance(t, TensorVal) for t in named):
            return tuple(t for t in named if isinstance(t, TensorVal))
    return tensors(given) if is_of_tensors(given) else None


def checked_input(machine: Machine, wanted: TensorVal, given: TensorVal, *, sizes: bool = True) -> TensorVal:
    """What the model computes with; ``sizes``: whether it refuses other sizes itself.

    Data of a shape that Keras adapts or refuses passes through ``model_input``, which records the fault and goes on with the
    declared shape. Whole numbers become, and are made of, the declared type.
    """
    if sizes and not _may_conform(wanted.shape, given.shape):
        result = machine.emit("model_input", {"x": given, "shape": wanted.shape}, framework="keras")
        given = result if isinstance(result, TensorVal) else given
    types = wanted.dtype, given.dtype
    if wanted.dtype == given.dtype or any(isinstance(t, Unknown) for t in types) or all(t in _FLOATS for t in types):
        return given
    return _converted(machine, wanted, given)


#: Layers convert these to one another themselves.
_FLOATS: Final = frozenset({FLOAT16, BFLOAT16, FLOAT32, FLOAT64})


def _converted(machine: Machine, wanted: TensorVal, given: TensorVal) -> TensorVal:
    """An input as a tensor of the declared type (run with Keras 3.15)."""
    result = machine.emit("cast", {"x": given, "dtype": wanted.dtype}, framework="keras", spelled="keras.Model")
    return result if isinstance(result, TensorVal) else given


def _may_conform(wanted: Shape | Unknown, given: Shape | Unknown) -> bool:
    return isinstance(wanted, Unknown) or isinstance(given, Unknown) or conforms(wanted, given)


def conforms(wanted: Shape, given: Shape) -> bool:
    """Whether data may be of the declared shape as it stands; the batch size is free."""
    return len(wanted) == len(given) and not any(differs(w, g) for w, g in zip(wanted[1:], given[1:], strict=True))
