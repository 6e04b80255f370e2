"""Node types for variables, shapes, loops and branches."""

from __future__ import annotations

from typing import Any, Final

from dllint.domains.dim import opaque
from dllint.domains.dtype import BOOL, INT32, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType, numel
from dllint.ir.program import TensorVal
from dllint.ir.values import Value
from dllint.lower.graphs.builder import Call
from dllint.lower.graphs.tensorflow.flattening import LOOP_VALUE
from dllint.lower.graphs.tensorflow.handler import node_type


def sizes(declared: Any) -> Shape | Unknown:
    """The shape that an attribute declares."""
    if not isinstance(declared, tuple):
        return Unknown("no-argument", "shape")
    return tuple(opaque(f"N{axis}") if size is None else size for axis, size in enumerate(declared))


def element_type(declared: Value) -> DType | Unknown:
    """The element type that an attribute declares."""
    return declared if isinstance(declared, (DType, Unknown)) else Unknown("no-argument", "dtype")


@node_type("VariableV2", "Variable", "VarHandleOp", "TemporaryVariable")
def variable(call: Call) -> Any:
    """A variable, which is trained."""
    type_ = TensorType(sizes(call.attribute("shape")), element_type(call.attribute("dtype")))
    return call.produce("variable", {}, type_)


@node_type("Assign", "AssignAdd", "AssignSub")
def assigned(call: Call) -> Any:
    """The variable that was assigned to: one value stands for it before and after."""
    return call.input(0)


@node_type(LOOP_VALUE)
def loop_value(call: Call) -> Any:
    """A value of a later iteration: of the first value, only the element type is kept."""
    first = call.input(0)
    dtype = Unknown("loop", "value of a loop") if first is None else first.dtype
    return call.produce("loop_value", {}, TensorType(sizes(call.attribute("shape")), dtype))


@node_type("VarIsInitializedOp", "IsVariableInitialized")
def is_initialized(call: Call) -> Any:
    """Whether a variable has a value."""
    return call.produce("unmodelled", {}, TensorType((), BOOL))


@node_type("Switch", "RefSwitch")
def switched(call: Call) -> Any:
    """``Switch``: the operand on both outputs."""
    x = call.input(0)
    return call.emit("identity", x=x), call.emit("identity", x=x)


@node_type("Merge", "RefMerge")
def merged(call: Call) -> Any:
    """``Merge``: one of several values."""
    found, *others = call.tensors()
    for other in others:
        shape = found.shape if found.shape == other.shape else Unknown("joined-branches", "shape")
        (found,) = call.produce("phi", {"x": found, "y": other}, TensorType(shape, found.dtype))
    return found


@node_type("IdentityN", "ShapeN")
def each(call: Call) -> Any:
    """The same of every operand."""
    if call.node.operator == "ShapeN":
        return tuple(_shape(call, x) for x in call.tensors())
    return tuple(call.emit("identity", x=x) for x in call.tensors())


@node_type("Shape")
def shape(call: Call) -> Any:
    """The sizes of a tensor."""
    x = call.input(0)
    return None if x is None else _shape(call, x)


def _shape(call: Call, x: TensorVal) -> TensorVal:
    known = x.shape if isinstance(x.shape, tuple) else None
    rank = opaque("rank") if known is None else len(known)
    (made,) = call.produce("shape", {"x": x}, TensorType((rank,), _index_type(call)))
    call.holds(made, known)
    return made


@node_type("Rank", "Size")
def count(call: Call) -> Any:
    """The number of axes, of elements."""
    x = call.input(0)
    known = x.shape if x is not None and isinstance(x.shape, tuple) else None
    (made,) = call.produce("shape", {"x": x}, TensorType((), _index_type(call)))
    return made if known is None else call.holds(made, len(known) if call.node.operator == "Rank" else numel(known))


def _index_type(call: Call) -> DType:
    declared = call.attribute("out_type")
    return declared if isinstance(declared, DType) else INT32


#: Node types without results, and those whose results are texts for people.
SILENT: Final = frozenset({
    "NoOp", "Assert", "SaveV2", "SaveSlices", "Save", "ScalarSummary", "HistogramSummary", "ImageSummary", "MergeSummary",
    "TensorSummaryV2", "AudioSummaryV2", "WriteSummary", "ControlTrigger", "AssignVariableOp", "AssignAddVariableOp",
    "AssignSubVariableOp",
})  # fmt: skip
