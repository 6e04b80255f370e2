"""How many trainable numbers a layer has, from the arguments of the operation it performs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Any, Final

from dllint.ir.program import Op
from dllint.ir.values import InstanceVal, unwrap


def trainable_count(op: Op) -> int | None:
    """The number of trainable elements of the layer that performs an operation; ``None`` if it is not known, or if the
    operation is not one that a layer with plain weights performs."""
    count = _COUNTS.get(op.kind)
    layer = op.layer.layer if isinstance(op.layer, InstanceVal) else None
    if count is None or layer is None:
        return None
    args = {name: unwrap(value) for name, value in {**layer.args, **op.args}.items()}
    try:
        return count(args)
    except (KeyError, TypeError, ZeroDivisionError):  # a size is missing or a symbol, or there are no groups
        return None


def _size(args: Mapping[str, Any], name: str) -> int:
    """A number, or the product of several. Raises TypeError if one is not known."""
    value = args[name]
    sizes = value if isinstance(value, tuple) else (value,)
    if not all(isinstance(size, int) for size in sizes):
        raise TypeError(name)
    return prod(sizes)


def _bias(args: Mapping[str, Any], name: str) -> int:
    return _size(args, name) if args.get("bias", True) else 0


def _linear(args: Mapping[str, Any]) -> int:
    return _size(args, "in_features") * _size(args, "out_features") + _bias(args, "out_features")


def _conv(args: Mapping[str, Any]) -> int:
    kernel = args["kernel_size"]
    window = _size(args, "kernel_size") if isinstance(kernel, tuple) else _size(args, "kernel_size") ** args["spatial"]
    connections = _size(args, "in_channels") * _size(args, "out_channels") // args.get("groups", 1)
    return int(connections * window + _bias(args, "out_channels"))


def _embedding(args: Mapping[str, Any]) -> int:
    return _size(args, "num_embeddings") * _size(args, "embedding_dim")


def _scaled(size: str, switch: str) -> Callable[[Mapping[str, Any]], int]:
    """A normalisation with a scale and a shift per feature: torch switches both with ``switch`` and the shift with ``bias``,
    Keras switches them with ``scale`` and ``center``."""

    def count(args: Mapping[str, Any]) -> int:
        if not args.get(switch, True):
            return 0
        scale = args.get("scale", True) is not False
        shift = args.get("center", True) is not False and args.get("bias", True) is not False
        return _size(args, size) * (scale + shift)

    return count


_COUNTS: Final[Mapping[str, Callable[[Mapping[str, Any]], int]]] = {
    "linear": _linear,
    "conv": _conv,
    "conv_transpose": _conv,
    "embedding": _embedding,
    "batch_norm": _scaled("num_features", "affine"),
    "group_norm": _scaled("num_channels", "affine"),
    "layer_norm": _scaled("normalized_shape", "elementwise_affine"),
}
