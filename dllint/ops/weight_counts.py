"""Numbers of trainable elements of layers from their canonical arguments, from which ``ops/layers.py`` chooses.

A count raises KeyError or TypeError where a size is missing or not a known whole number, and ZeroDivisionError where there are
no groups.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod

from dllint.ir.values import Value

#: From the arguments of a layer and its operation, unwrapped, to the number of trainable elements.
Count = Callable[[Mapping[str, Value]], int]


def _size(args: Mapping[str, Value], name: str) -> int:
    """A number, or the product of several. Raises TypeError if one is not known."""
    value = args[name]
    sizes = value if isinstance(value, tuple) else (value,)
    numbers = [size for size in sizes if isinstance(size, int)]
    if len(numbers) < len(sizes):
        raise TypeError(name)
    return prod(numbers)


def _bias(args: Mapping[str, Value], name: str) -> int:
    return _size(args, name) if args.get("bias", True) else 0


def dense(args: Mapping[str, Value]) -> int:
    """A weight per pair of input and output feature, and a bias per output feature."""
    return _size(args, "in_features") * _size(args, "out_features") + _bias(args, "out_features")


def convolution(args: Mapping[str, Value]) -> int:
    """A window per pair of channels of one group, and a bias per output channel."""
    kernel = _size(args, "kernel_size")
    window = kernel if isinstance(args["kernel_size"], tuple) else kernel ** _size(args, "spatial")
    groups = _size(args, "groups") if "groups" in args else 1
    connections = _size(args, "in_channels") * _size(args, "out_channels") // groups
    return connections * window + _bias(args, "out_channels")


def table(args: Mapping[str, Value]) -> int:
    """The elements of an embedding's table."""
    return _size(args, "num_embeddings") * _size(args, "embedding_dim")


def scaled(size: str, switch: str) -> Count:
    """A normalisation with a scale and a shift per feature: torch switches both with ``switch`` and the shift with ``bias``,
    Keras switches them with ``scale`` and ``center``."""

    def count(args: Mapping[str, Value]) -> int:
        if not args.get(switch, True):
            return 0
        scale = args.get("scale", True) is not False
        shift = args.get("center", True) is not False and args.get("bias", True) is not False
        return _size(args, size) * (scale + shift)

    return count
