"""What an operation demands of an operand whose rank is not known yet.

A model's input is often seen first by a layer that takes one rank only: ``Conv2d(3, …)`` makes it ``(B, 3, H, W)``. The
type of such an input is then refined in place, back through operations that keep the shape.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from dllint.domains.dim import Dim, DimExpr, symbol
from dllint.domains.dtype import FLOAT32
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.ir.program import TensorVal

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter

#: Names of the axes of an image, a volume, a sequence.
_AXES = {1: ("L",), 2: ("H", "W"), 3: ("D", "H", "W")}
#: Operations whose result has their input's shape.
TRANSPARENT = frozenset({
    "relu", "relu6", "leaky_relu", "elu", "selu", "gelu", "silu", "sigmoid", "tanh", "dropout", "identity", "cast", "clone",
    "detach", "contiguous", "neg", "exp", "log", "sqrt", "clamp", "softmax", "log_softmax", "batch_norm", "layer_norm",
})  # fmt: skip


def _images(args: Mapping[str, Any]) -> Shape | None:
    spatial, channels = args.get("spatial"), args.get("in_channels")
    if not isinstance(spatial, int) or spatial not in _AXES:
        return None
    feature: Dim = channels if isinstance(channels, (int, DimExpr)) else symbol("C")
    sizes = tuple(symbol(name) for name in _AXES[spatial])
    return (symbol("B"), *sizes, feature) if args.get("channels_last") is True else (symbol("B"), feature, *sizes)


def _normed(args: Mapping[str, Any]) -> Shape | None:
    return _images({**args, "in_channels": args.get("num_features")})


def _sequence(args: Mapping[str, Any]) -> Shape | None:
    size = args.get("input_size")
    feature: Dim = size if isinstance(size, (int, DimExpr)) else symbol("C")
    batch, steps = symbol("B"), symbol("T")
    return (batch, steps, feature) if args.get("batch_first") is True else (steps, batch, feature)


#: Operation → the shape its operand ``x`` must have.
DEMANDS: dict[str, Callable[[Mapping[str, Any]], Shape | None]] = {
    "conv": _images,
    "conv_transpose": _images,
    "max_pool": _images,
    "avg_pool": _images,
    "rnn": _sequence,
    "batch_norm": _normed,
}


def refine(m: Interpreter, kind: str, args: Mapping[str, Any], typed: dict[str, Any]) -> None:
    """Give an operand of unknown rank the shape the operation demands."""
    demand = DEMANDS.get(kind)
    if demand is None:
        return
    x = args.get("x")
    if not isinstance(x, TensorVal) or not isinstance(x.type.shape, Unknown):
        return
    shape = demand(args)
    if shape is not None:
        settle(m, x, shape)
        typed["x"] = x.type


def settle(m: Interpreter, x: TensorVal, shape: Shape) -> None:
    """Refine a tensor's unknown shape, and those of the values it was made from without change of shape."""
    if not isinstance(x.type.shape, Unknown):
        return
    dtype = FLOAT32 if isinstance(x.type.dtype, Unknown) and x.producer is None and m.is_seed(x) else x.type.dtype
    m.journal.set_attribute(x, "type", TensorType(shape, dtype))
    producer = x.producer
    if producer is not None and producer.kind in TRANSPARENT and isinstance(producer.args.get("x"), TensorVal):
        settle(m, producer.args["x"], shape)
