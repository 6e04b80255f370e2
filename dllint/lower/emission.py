"""Execution of a canonical operation: arguments to types, the operation's function, results to values, the trace."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import libcst as cst

from dllint.domains.dtype import DType, dtype_named
from dllint.domains.lattice import Unknown
from dllint.domains.shape import OpenSequence, TensorType
from dllint.frameworks.array_like import as_array, as_data
from dllint.ir.program import COMPUTE_DTYPE, Fault, Framework, Op, TensorVal
from dllint.ir.values import (
    Assumed,
    DictVal,
    InstanceVal,
    LibSymbol,
    ListVal,
    RangeVal,
    SliceVal,
    TensorSize,
    Value,
    each,
)
from dllint.lower import bulk, demands, effects, exceptions, literals, many, mro
from dllint.lower.arguments import as_dim, as_size, may_be_number
from dllint.lower.documented import shapes
from dllint.lower.lazy import ChoiceVal, ShapeVal
from dllint.lower.typed import as_type, typed_value
from dllint.ops.autocast import UNKNOWN_REGION, Autocast, cast_operands, cast_to_layer, of_layer
from dllint.ops.constraints import at_call, constraints
from dllint.ops.default_type import DEFAULT_TYPE, default_type, with_default
from dllint.ops.faults import FEATURE_SIZE
from dllint.ops.spec import OPS, Outcome, Result, apply
from dllint.source.walk import walk

if TYPE_CHECKING:
    from dllint.lower.parts import Emits, Performs
    from dllint.lower.scopes import Frame

#: Parameters that are sizes: a constructor parameter without a value becomes a symbol there.
SIZES = frozenset({
    "in_channels", "out_channels", "in_features", "out_features", "num_features", "num_embeddings", "embedding_dim",
    "hidden_size", "input_size", "normalized_shape", "kernel_size", "stride", "dilation", "groups", "num_groups", "num_heads",
    "embed_dim", "end", "num_layers", "shape", "num_channels", "num_classes", "padding", "repeats", "d_model", "nhead",
    "num_parameters",
})  # fmt: skip
#: Those of them whose length is the rank of a result.
_SEQUENCES = frozenset({"shape", "repeats", "normalized_shape"})
#: Axes that a tensor may have: no library takes more.
_RANK = 64
_DTYPE_ROOTS = ("torch", "numpy", "tensorflow", "keras", "jax")
#: Names that numpy gave to Python's own types, which are double-wide there.
_NUMPY_ALIASES = {"float": "float64", "int": "int64", "single": "float32", "intp": "int64", "uint": "uint64", "ubyte": "uint8"}
_PYTHON_DTYPES = {
    "builtins.float": ("float32", "float64"),
    "builtins.int": ("int64", "int64"),
    "builtins.bool": ("bool", "bool"),
}


def emit(
    m: Emits,
    kind: str,
    args: Mapping[str, Value],
    framework: Framework,
    spelled: str,
    layer: Value,
    defaulted: frozenset[str],
) -> Value:
    """See :meth:`dllint.frameworks.machine.Machine.emit`."""
    spec = OPS.get(kind)
    tensors = spec.tensors if spec is not None else frozenset()
    clean: dict[str, Any] = {}
    typed: dict[str, Any] = {}
    for name, value in args.items():
        plain = clean[name] = argument(m, name, value, framework)
        typed[name] = as_type(plain, framework) if name in tensors else typed_value(plain)
    refined = demands.refine(m, kind, framework, clean, typed)
    if (m.run.documented and shapes.settle(m, kind, clean)) or refined:
        typed = {name: as_type(value, framework) if name in tensors else typed_value(value) for name, value in clean.items()}
    if spec is not None and "index_high" in spec.parameters:
        _bound_indices(clean.get("x"), typed)
    outcome = _apply(m.state, kind, framework, typed, layer)
    if layer is None:
        faults = (*constraints(kind, framework, clean), *outcome.faults)
    else:  # what such a layer makes of its input follows from what is wrong with it
        faults = at_call(kind, framework, clean) or outcome.faults
    if faults and m.control.catching:
        exceptions.raise_fault(m, framework, faults[0].kind)
    outputs: list[TensorVal] = []
    result = result_values(kind, lost(outcome.result) if _raises(faults) else outcome.result, framework, outputs)
    frame = m.frame
    op = Op(
        kind,
        clean,
        tuple(outputs),
        frame.site(),
        framework,
        spelled,
        layer if isinstance(layer, InstanceVal) else None,
        faults,
        m.control.path,
        defaulted,
        frame.name,
        frame.owner,
        m.control.assumptions,
        m.control.passes > 0,
    )
    if m.trail.assigned or m.trail.changed_memory:
        effects.find_stale(m.journal, m.trail, op)
    for index, value in enumerate(outputs):
        value.producer, value.index = op, index
    literals.annotate(kind, clean, outputs)
    effects.note_views(m.journal, op)
    m.record(op)
    m.pay(1 + len(outputs))
    if isinstance(outcome.result, Unknown):
        m.program.gaps.append((outcome.result.reason, outcome.result.detail or kind, op.site))
    return result


def _apply(state: dict[str, Value], kind: str, framework: Framework, typed: dict[str, Value], layer: Value) -> Outcome:
    """The result of the operation, in the precision that an autocast region or its layer sets."""
    if framework == "torch" and (region := state.get("autocast")) is not None:
        return apply(kind, framework, cast_operands(kind, typed, region if isinstance(region, Autocast) else UNKNOWN_REGION))
    dtype = layer.state.get(COMPUTE_DTYPE) if isinstance(layer, InstanceVal) else None
    if dtype is None:
        outcome = apply(kind, framework, typed)
        if framework != "torch" or layer is not None or DEFAULT_TYPE not in state:
            return outcome
        return Outcome(with_default(typed, outcome.result, default_type(state)), outcome.faults)
    if not isinstance(dtype, (DType, Unknown)):
        dtype = Unknown("no-argument", COMPUTE_DTYPE)
    outcome = apply(kind, framework, cast_to_layer(typed, dtype))
    return Outcome(of_layer(kind, typed, outcome.result, dtype), outcome.faults)


def _raises(found: tuple[Fault, ...]) -> bool:
    """Whether the results of an operation with these faults are unknown. A layer whose declared feature size differs from that
    of its input keeps its declared output, because the next layer was written for that."""
    return any(fault.kind != FEATURE_SIZE for fault in found)


def lost(result: Result) -> Result:
    """The result of an operation that raises: only the number of its tensors is known, so that later operations report no
    faults of their own."""
    if isinstance(result, TensorType):
        return effects.RAISED
    if isinstance(result, tuple):
        return each(result, lost)
    if isinstance(result, list):
        return [lost(part) for part in result]
    if isinstance(result, dict):
        return {name: lost(part) for name, part in result.items()}
    return Unknown("raised")


def _bound_indices(x: Value, typed: dict[str, Value]) -> None:
    """Add the bounds of an index tensor's elements to an operation's arguments."""
    if isinstance(x, TensorVal):
        typed.setdefault("index_low", x.low)
        typed.setdefault("index_high", x.high if x.high is not None else x.reach)


def argument(m: Performs, name: str, value: Value, framework: Framework, inside: bool = False) -> Any:
    """An argument as the IR holds it: no wrappers, sequences as tuples, dtypes as DType. ``inside`` a sequence, an unknown
    size is one number; by itself it may stand for several."""
    kind = type(value)
    if kind is TensorVal or kind is int or value is None:
        return value
    if not inside and bulk.is_bulky(value, _RANK if name in _SEQUENCES else bulk.ARGUMENT):
        large = many.argument(m, name, value, framework) if isinstance(value, ListVal) and name == "data" else None
        return large or Unknown("large-sequence", name)
    if isinstance(value, Assumed):
        return argument(m, name, Unknown("parameter", value.source) if value.compared else value.value, framework, inside)
    if isinstance(value, Unknown):
        return as_size(m, value) if _is_size(name, value, inside) else as_dim(m, value)
    if isinstance(value, LibSymbol):
        return _symbol(name, value, framework)
    if name == "dtype" and isinstance(value, str):
        return dtype_named(value) or value
    return _container(m, name, value, framework)


def _is_size(name: str, value: Unknown, inside: bool) -> bool:
    """Whether an unknown argument is a size. The end of a range that is no argument of an entry may be any number."""
    if name == "end" and not may_be_number(value):
        return False
    return name in SIZES and (inside or name not in _SEQUENCES)


def _container(m: Performs, name: str, value: Value, framework: Framework) -> Any:
    if name == "data" and framework == "numpy":
        value = as_data(value)
    if isinstance(value, TensorSize):
        return int(value)
    if isinstance(value, tuple):
        return tuple(argument(m, name, v, framework, inside=True) for v in value)
    if isinstance(value, ListVal):
        if value.rest is not None or (not value.items and not _is_written_out(m.frame)):
            return many.argument(m, name, value, framework) or Unknown("unknown-length", "list")
        return tuple(argument(m, name, v, framework, inside=True) for v in value.items)
    if isinstance(value, RangeVal):
        found = m.iterate(value)
        return tuple(found) if isinstance(found, list) else found
    if isinstance(value, ShapeVal):
        return Unknown("unknown-rank", "shape")
    if isinstance(value, ChoiceVal):
        return Unknown("joined-branches", name)
    if mro.may_be_anything(value) and as_array(value) is value:
        return Unknown("foreign-object", name)
    if isinstance(value, SliceVal):
        return SliceVal(*(argument(m, name, part, framework) for part in (value.start, value.stop, value.step)))
    return as_array(value)


def _is_written_out(frame: Frame) -> bool:
    """Whether the call that is being evaluated holds an empty list itself (``np.array([])``). One that a name holds was made to
    be filled, maybe by code that is not followed: a callback, a thread, a library."""
    node = frame.node
    return node is not None and any(isinstance(part, cst.List) and not part.elements for part in walk(node))


def _symbol(name: str, value: LibSymbol, framework: Framework) -> Any:
    root, _, last = value.name.rpartition(".")
    if root == "numpy" and last in _NUMPY_ALIASES:
        return dtype_named(_NUMPY_ALIASES[last])
    if root.partition(".")[0] in _DTYPE_ROOTS and (dtype := dtype_named(last)) is not None:
        return dtype
    if name == "dtype" and value.name in _PYTHON_DTYPES:
        return dtype_named(_PYTHON_DTYPES[value.name][framework in ("numpy", "torch")])
    return value


def result_values(kind: str, result: Value, framework: Framework, outputs: list[TensorVal]) -> Value:
    """The results of an operation; tensors are added as values to ``outputs``."""
    if isinstance(result, Unknown) and kind in OPS and not OPS[kind].various:
        result = TensorType(result, result)
    return _value(result, framework, outputs)


def _value(result: Value, framework: Framework, outputs: list[TensorVal]) -> Value:
    if isinstance(result, TensorType):
        outputs.append(TensorVal(result, framework=framework))
        return outputs[-1]
    if isinstance(result, tuple):
        return each(result, lambda part: _value(part, framework, outputs))
    if isinstance(result, list):
        return ListVal([_value(part, framework, outputs) for part in result])
    if isinstance(result, dict):
        return DictVal({key: _value(part, framework, outputs) for key, part in result.items()})
    if isinstance(result, OpenSequence):
        return ListVal([], _value(result.element, framework, outputs))
    return result
