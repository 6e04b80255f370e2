"""The weights that a module has itself, beside those of the modules in it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from dllint.analysis.modules import WEIGHTED, library_of
from dllint.analysis.weights import counted
from dllint.domains.dim import Dim
from dllint.domains.lattice import Unknown
from dllint.domains.shape import numel
from dllint.frameworks.keras.layers.preprocessing import SCALING
from dllint.ir.events import AttributeWrite, LibraryCall
from dllint.ir.program import Op, Program, TensorVal
from dllint.ir.values import InstanceVal, LibSymbol, Value, unwrap
from dllint.ops.kinds import having
from dllint.ops.traits import Trait

PARAMETER: Final = "torch.nn.Parameter"
_ADD_WEIGHT: Final = ("keras.layers.Layer.add_weight", "keras.layers.Layer.add_variable")
#: Stands where nothing was assigned.
_NOTHING: Final = Unknown("nothing-assigned")
_STANDARDISES: Final = having(Trait.STANDARDISES)
#: Of torch's layers, the argument that says how many features come in, and which axis of the input has them.
_TAKEN_FROM_INPUT: Final[Mapping[str, int]] = {"in_features": -1, "in_channels": 1, "num_features": 1}


@dataclass(frozen=True, slots=True)
class Weights:
    """Numbers of elements, which may be symbolic; ``is_open``: there may be more."""

    trainable: Dim = 0
    fixed: Dim = 0
    is_open: bool = False

    @property
    def total(self) -> Dim:
        """All elements."""
        return self.trainable + self.fixed

    def __add__(self, other: Weights) -> Weights:
        return Weights(self.trainable + other.trainable, self.fixed + other.fixed, self.is_open or other.is_open)

    @property
    def frozen(self) -> Weights:
        """The same weights, none of them trained."""
        return Weights(0, self.total, self.is_open)


@dataclass(slots=True)
class ProgramWeights:
    """Where a program makes parameters: by the ``id`` of the tensor (or of what it was before it was changed in place), with
    whose method makes it; and the weights that a Keras layer adds, by its ``id``."""

    parameters: dict[int, LibraryCall] = field(default_factory=dict)
    added: dict[int, list[LibraryCall]] = field(default_factory=dict)
    #: The layers to whose weights something was assigned, with that, by the ``id`` of the layer and the attribute.
    written: dict[tuple[int, str], tuple[Value, Value]] = field(default_factory=dict)
    #: Whether the program says of weights that it has made if they are trained (``p.requires_grad = False``).
    changes_gradients: bool = False

    @classmethod
    def of(cls, programs: Iterable[Program]) -> ProgramWeights:
        """What some programs make."""
        made = cls()
        for program in programs:
            for event in program.events:
                if isinstance(event, LibraryCall):
                    made._take(event)
                    made.changes_gradients |= event.name.endswith(".requires_grad_")
                elif isinstance(event, AttributeWrite) and event.name == "requires_grad":
                    made.changes_gradients = True
                elif isinstance(event, AttributeWrite) and event.name in ("weight", "bias"):
                    made.written[id(event.receiver), event.name] = event.receiver, unwrap(event.value)
        return made

    def _take(self, call: LibraryCall) -> None:
        if call.name == PARAMETER and isinstance(call.result, TensorVal):
            self.parameters[call.result.id] = call
        elif call.name in _ADD_WEIGHT and isinstance(call.receiver, InstanceVal):
            self.added.setdefault(id(call.receiver), []).append(call)

    def parameter(self, tensor: TensorVal) -> LibraryCall | None:
        """The call that made a parameter; ``None`` if the tensor is none."""
        return self.parameters.get(tensor.origin or tensor.id) or self.parameters.get(tensor.id)

    def is_parameter(self, value: Value) -> bool:
        """Whether a value is a parameter that the program makes."""
        return isinstance(value, TensorVal) and self.parameter(value) is not None


def own_weights(
    module: InstanceVal, ops: Sequence[Op], made: ProgramWeights, seen: set[tuple[int, int]]
) -> tuple[Weights, list[str]]:
    """The weights of a module itself, and why there may be more; ``ops`` are those that it performs, ``seen`` are shared
    parameters that are counted."""
    layer, gap = _of_layer(module, ops, made)
    tensors, gaps = _of_attributes(module, made, seen)
    total = layer + tensors + _added(module, made)
    gaps = [*gap, *gaps]
    return Weights(total.trainable, total.fixed, total.is_open or bool(gaps)), gaps


def _of_layer(module: InstanceVal, ops: Sequence[Op], made: ProgramWeights) -> tuple[Weights, list[str]]:
    """Of a layer of a library: those that its row describes."""
    if "features" in module.state or "application" in module.state:
        return Weights(), ["of this architecture, only the head is known"]
    if module.layer is None:
        gaps = ["its weights are not known"] if _is_undescribed(module) else []
        return _of_wrapper(ops), gaps
    row = module.layer.row
    op = next((op for op in ops if op.kind == row.op), None)
    if row.framework == "keras" and row.name.rpartition(".")[2] == SCALING[1]:
        return _of_normalisation(module, op)
    args = _arguments(module, op)
    found = counted(row.op, args)
    if found is None:
        return (Weights(), ["its weights are not known"]) if row.trainable or row.op in WEIGHTED else (Weights(), [])
    statistics = _statistics(row.framework, row.op, args)
    replaced = _replaced(module, row.op, args, made)
    if isinstance(replaced, str):
        return Weights(found, statistics), [replaced]
    return Weights(found - replaced, statistics), []


def _is_undescribed(module: InstanceVal) -> bool:
    """Whether a module is of a class of a library that no table describes, and holds nothing that is known."""
    if not isinstance(module.cls, LibSymbol) or module.cls.name in _BASES:
        return False
    return not any(name in module.state for name in _HOLDING)


#: Classes of which an object has only what it is given.
_BASES: Final = frozenset({"torch.nn.Module", "keras.layers.Layer", "keras.Model", "torchvision.models.Model"})
#: What containers, stacks, wrappers and functional models keep in their state, and blocks that have no weights.
_HOLDING: Final = ("weightless", "names", "num_layers", "layers", "layer", "cell", "function", "outputs", "inputs", "chained")


def _of_normalisation(module: InstanceVal, op: Op | None) -> tuple[Weights, list[str]]:
    """Of Keras's Normalization: means and variances along its axes, and a count, unless the means are given."""
    assert module.layer is not None
    args = {name: unwrap(value) for name, value in module.layer.args.items()}
    x = op.args.get("x") if op is not None else None
    if args.get("mean") is not None:
        return Weights(), []
    axes = args.get("axis", -1)
    axes = axes if isinstance(axes, tuple) else (axes,)
    shape = x.shape if isinstance(x, TensorVal) else Unknown("no-tensor")
    if isinstance(shape, Unknown) or not all(isinstance(axis, int) and -len(shape) <= axis < len(shape) for axis in axes):
        return Weights(), ["what it normalises with is not counted"]
    return Weights(0, 2 * numel(tuple(shape[axis] for axis in axes if isinstance(axis, int))) + 1), []


def _of_wrapper(ops: Sequence[Op]) -> Weights:
    """Of a layer that performs the operation of another one, in two directions: the layer's own are counted with that layer."""
    total: Dim = 0
    for op in ops[:1]:
        if op.args.get("bidirectional") is True and op.layer is not None:
            inner = unwrap(op.layer.state.get("layer"))
            if isinstance(inner, InstanceVal) and inner.layer is not None:
                once = counted(op.kind, {**inner.layer.args, **op.args, "bidirectional": False})
                total = once if once is not None else 0
    return Weights(total)


def _arguments(module: InstanceVal, op: Op | None) -> dict[str, Value]:
    """The arguments of a layer with what it takes from its first input."""
    assert module.layer is not None
    args = {name: unwrap(value) for name, value in module.layer.args.items()}
    if op is None:
        return args
    args |= {name: unwrap(value) for name, value in op.args.items() if not (name in args and value is None)}
    x = args.get("x")
    if isinstance(x, TensorVal) and not isinstance(x.shape, Unknown):
        for name, axis in _TAKEN_FROM_INPUT.items():
            if op.framework == "torch" and name not in args and -len(x.shape) <= axis < len(x.shape):
                args[name] = x.shape[axis]
        if op.framework == "keras":
            args |= _keras_sizes(module, args, x)
    return args


def _keras_sizes(module: InstanceVal, args: dict[str, Value], x: TensorVal) -> dict[str, Value]:
    """What Keras's layers that have no argument for it take from their input."""
    assert module.layer is not None
    assert not isinstance(x.shape, Unknown)
    name, shape = module.layer.row.name.rpartition(".")[2], x.shape
    if name in ("LayerNormalization", "RMSNormalization") and "normalized_shape" not in args:
        dim = args.get("dim", -1)
        axes = dim if isinstance(dim, tuple) else (dim,)
        if all(isinstance(axis, int) and -len(shape) <= axis < len(shape) for axis in axes):
            return {"normalized_shape": tuple(shape[axis] for axis in axes if isinstance(axis, int))}
    if name == "PReLU":
        shared = args.get("shared_axes")
        if shared is None or isinstance(shared, tuple):
            return {"num_parameters": tuple(1 if n in (shared or ()) else d for n, d in enumerate(shape) if n)}
    if name.startswith("ConvLSTM"):
        return {"in_channels": shape[1 if args.get("data_format") == "channels_first" else -1]}
    return {}


def _statistics(framework: str, kind: str, args: Mapping[str, Value]) -> Dim:
    """Keras counts the means and variances that its batch normalisation keeps among the weights; torch's are buffers."""
    size = args.get("num_features")
    if framework != "keras" or kind not in _STANDARDISES or size is None:
        return 0
    twice = counted(kind, {**args, "scale": True, "center": True})
    return twice if twice is not None else 0


def _replaced(module: InstanceVal, kind: str, args: Mapping[str, Value], made: ProgramWeights) -> Dim | str:
    """How many of a layer's weights have given way to others, which are counted where they are from, or to None; or why that
    is not known."""
    lost: Dim = 0
    weight = counted(kind, {**args, "bias": False})
    whole = counted(kind, args)
    for name in ("weight", "bias"):
        held = unwrap(module.attrs.get(name, _NOTHING))
        own = held if held is None or made.is_parameter(held) else _NOTHING  # a class of the user's own gives it to itself
        _, written = made.written.get((id(module), name), (module, own))
        if written is _NOTHING:
            continue
        if weight is None or whole is None or not (written is None or made.is_parameter(written) or _is_of_layer(written)):
            return f"its {name} is another tensor"
        lost = lost + (weight if name == "weight" else whole - weight)
    return lost


def _is_of_layer(value: Value) -> bool:
    """Whether a tensor is the weight of a layer, as the layer was built with it."""
    return isinstance(value, TensorVal) and value.producer is None and value.name in ("weight", "bias")


def _of_attributes(module: InstanceVal, made: ProgramWeights, seen: set[tuple[int, int]]) -> tuple[Weights, list[str]]:
    """Of a class of the user's own: the parameters that are attributes, each once."""
    total, gaps = Weights(), []
    for name, tensor in _tensors(module):
        call = made.parameter(tensor)
        if call is None:
            continue
        key = _identity(module, tensor, call)
        if key in seen:
            continue
        seen.add(key)
        if isinstance(tensor.shape, Unknown):
            gaps.append(f"the shape of `{name}` is not known")
            continue
        size = numel(tensor.shape)
        trained = unwrap(call.bound.get("requires_grad", True)) is not False
        total = total + (Weights(size) if trained else Weights(0, size))
    return total, gaps


def _tensors(module: InstanceVal) -> Iterator[tuple[str, TensorVal]]:
    for name, value in module.attrs.items():
        value = unwrap(value)
        if isinstance(value, TensorVal):
            yield name, value


def _identity(module: InstanceVal, tensor: TensorVal, call: LibraryCall) -> tuple[int, int]:
    """What tells a parameter from others. Objects that are made with equal arguments are copies of one another to the analysis
    and hold one value: where the class of the object has made it, each object has its own."""
    owner = call.owner
    own = isinstance(owner, InstanceVal) and (owner is module or owner.cls is module.cls)
    is_made_in_list = library_of(module.cls) == "torch" and module.state.get("names") is not None
    return (tensor.origin or tensor.id, id(module) if own or is_made_in_list else 0)


def _added(module: InstanceVal, made: ProgramWeights) -> Weights:
    """The weights that a Keras layer of the user's own adds."""
    total = Weights()
    for call in made.added.get(id(module), ()):
        if not isinstance(call.result, TensorVal) or isinstance(call.result.shape, Unknown):
            return Weights(total.trainable, total.fixed, is_open=True)
        size = numel(call.result.shape)
        trained = unwrap(call.bound.get("trainable", True)) is not False
        total = total + (Weights(size) if trained else Weights(0, size))
    return total
