"""Node types of neural networks and of arithmetic that are several canonical operations, or one with another layout."""

from __future__ import annotations

from typing import Any, Final

from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import Value
from dllint.lower.graphs.builder import Call
from dllint.lower.graphs.elements import computed
from dllint.lower.graphs.tensorflow.handler import node_type
from dllint.ops.kinds import does
from dllint.ops.traits import Trait


@node_type("BiasAdd", "BiasAddV1")
def bias_add(call: Call) -> Any:
    """A number per channel added; with channels first, the other axes come behind it."""
    x, bias = call.input(0), call.input(1)
    if call.attribute("data_format") == "NCHW" and x is not None and isinstance(x.shape, tuple) and len(x.shape) > 2:
        bias = call.emit("reshape", x=bias, shape=(-1, *(1,) * (len(x.shape) - 2)))
    return call.emit("add", x=x, y=bias)


@node_type("SquaredDifference")
def squared_difference(call: Call) -> Any:
    """``(x - y) ** 2``."""
    return call.emit("square", x=call.emit("sub", x=call.input(0), y=call.input(1)))


@node_type("L2Loss")
def half_of_squares(call: Call) -> Any:
    """Half the sum of the squares."""
    return call.emit("mul", x=call.emit("sum", x=call.emit("square", x=call.input(0))), y=0.5)


@node_type("Div")
def div(call: Call) -> Any:
    """A quotient; of whole numbers it is one, too."""
    x, y = call.input(0), call.input(1)
    if x is None or not isinstance(x.dtype, DType) or x.dtype.kind != "int":
        return call.emit("div", x=x, y=y)
    result = call.emit("floor_divide", x=x, y=y)
    return call.holds(result, computed("floor_divide", result, {"x": call.elements(0), "y": call.elements(1)}))


@node_type("DivNoNan", "Xdivy")
def div_no_nan(call: Call) -> Any:
    """A quotient, 0 where the usual one would not be a number."""
    return call.builder.emit("div", {"x": call.input(0), "y": call.input(1)}, "tensorflow.math.divide_no_nan")


@node_type("Select", "SelectV2")
def chosen(call: Call) -> Any:
    """``Select``: elements of one tensor or the other. If random numbers select between scaled elements and 0, it is a dropout,
    which keeps the shape of its operand."""
    condition, x, y = (call.input(number) for number in range(3))
    kept = _scaled(x) if _is_number(y, 0) else None
    rate = _random_mask(condition)
    if kept is None or rate is None:
        return call.emit("where", condition=condition, x=x, y=y)
    return call.emit("dropout", x=kept, p=rate if isinstance(rate, float) else Unknown("no-argument", "rate"))


def _is_number(value: Value, number: float) -> bool:
    return isinstance(value, TensorVal) and value.shape == () and value.data == number


def _scaled(value: Value) -> TensorVal | None:
    """The operand of an element-wise scaling."""
    maker = value.producer if isinstance(value, TensorVal) else None
    x = maker.args.get("x") if does(maker, Trait.MULTIPLIES) or does(maker, Trait.DIVIDES) else None
    return x if isinstance(x, TensorVal) else None


def _random_mask(condition: Value) -> Any:
    """What uniform random numbers are compared with to make a mask; ``None`` if it is none."""
    test = condition.producer if isinstance(condition, TensorVal) else None
    if not does(test, Trait.ORDERS):
        return None
    drawn = test.args.get("x")
    maker = drawn.producer if isinstance(drawn, TensorVal) else None
    return test.args.get("y") if does(maker, Trait.DRAWS_EVENLY) else None


@node_type("FusedBatchNorm", "FusedBatchNormV2", "FusedBatchNormV3")
def batch_norm(call: Call) -> Any:
    """Each channel normalised, then scaled and moved by trained numbers; of the statistics nothing is said."""
    axis = 1 if call.attribute("data_format") == "NCHW" else -1
    return (call.emit("batch_norm", x=call.input(0), weight=call.input(1), dim=axis),)


_LOSSES: Final = {
    "SoftmaxCrossEntropyWithLogits": "categorical_crossentropy",
    "SparseSoftmaxCrossEntropyWithLogits": "sparse_categorical_crossentropy",
}


@node_type(*_LOSSES)
def cross_entropy(call: Call) -> Any:
    """One number per sample; the second result is its gradient."""
    kind = _LOSSES[call.node.operator]
    return (call.emit(kind, x=call.input(0), target=call.input(1), from_logits=True, dim=-1),)
