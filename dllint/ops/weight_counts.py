"""Numbers of trainable elements of layers from their canonical arguments, from which ``ops/layers.py`` chooses.

A size may be a symbol; the count is then one, too. A count raises KeyError or TypeError where a size is missing or not known,
and ZeroDivisionError where there are no groups. Layers that are made of others: ``composed_counts.py``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from dllint.domains.dim import Dim, DimExpr, exact_quotient, product
from dllint.ir.values import Value

#: From the arguments of a layer and its operation, unwrapped, to the number of elements.
Count = Callable[[Mapping[str, Value]], Dim]


def size_of(args: Mapping[str, Value], name: str) -> Dim:
    """A number, or the product of several. Raises TypeError if one is not known."""
    value = args[name]
    sizes = value if isinstance(value, tuple) else (value,)
    numbers = [size for size in sizes if isinstance(size, (int, DimExpr))]
    if len(numbers) < len(sizes):
        raise TypeError(name)
    return product(numbers)


def biases(args: Mapping[str, Value], name: str) -> Dim:
    """A bias for each of so many features, unless there is none. Raises TypeError if it is not known whether there is one."""
    given = args.get("bias", True)
    if not isinstance(given, (bool, int)):
        raise TypeError("bias")
    return size_of(args, name) if given else 0


def window_of(args: Mapping[str, Value]) -> Dim:
    """The number of places of a window."""
    kernel = args["kernel_size"]
    if isinstance(kernel, tuple):
        return size_of(args, "kernel_size")
    spatial = args["spatial"]
    if not isinstance(spatial, int):
        raise TypeError("spatial")
    return product([size_of(args, "kernel_size")] * spatial)


def parts_of(whole: Dim, parts: Dim) -> Dim:
    """A size divided evenly. Raises TypeError if it is not known to be even, ZeroDivisionError if there are no parts."""
    if isinstance(whole, int) and isinstance(parts, int):
        return whole // parts
    found = exact_quotient(whole, parts)
    if found is None:
        raise TypeError("groups")
    return found


def _or_one(args: Mapping[str, Value], name: str) -> Dim:
    return size_of(args, name) if args.get(name) is not None else 1


def dense(args: Mapping[str, Value]) -> Dim:
    """A weight per pair of input and output feature, and a bias per output feature."""
    return size_of(args, "in_features") * size_of(args, "out_features") + biases(args, "out_features")


def bilinear(args: Mapping[str, Value]) -> Dim:
    """A weight per triple of two input features and an output feature, and a bias per output feature."""
    pairs = size_of(args, "in_features") * size_of(args, "in_features2")
    return pairs * size_of(args, "out_features") + biases(args, "out_features")


def convolution(args: Mapping[str, Value]) -> Dim:
    """A window per pair of channels of one group, and a bias per output channel."""
    connections = parts_of(size_of(args, "in_channels") * size_of(args, "out_channels"), _or_one(args, "groups"))
    return connections * window_of(args) + biases(args, "out_channels")


def depthwise(args: Mapping[str, Value]) -> Dim:
    """A window per output channel, of which each input channel has ``depth_multiplier``, and a bias per output channel."""
    channels = size_of(args, "in_channels") * _or_one(args, "depth_multiplier")
    return channels * window_of(args) + (channels if biases(args, "in_channels") != 0 else 0)


def separable(args: Mapping[str, Value]) -> Dim:
    """A depthwise convolution without a bias, then one of 1 x 1."""
    channels = size_of(args, "in_channels") * _or_one(args, "depth_multiplier")
    return channels * window_of(args) + channels * size_of(args, "out_channels") + biases(args, "out_channels")


def table(args: Mapping[str, Value]) -> Dim:
    """The elements of an embedding's table."""
    return size_of(args, "num_embeddings") * size_of(args, "embedding_dim")


def slopes(args: Mapping[str, Value]) -> Dim:
    """A slope per parameter of torch's PReLU."""
    return size_of(args, "num_parameters")


def scaled(size: str, switch: str) -> Count:
    """A normalisation with a scale and a shift per feature: torch switches both with ``switch`` and the shift with ``bias``,
    Keras switches them with ``scale`` and ``center``."""

    def count(args: Mapping[str, Value]) -> Dim:
        if not args.get(switch, True):
            return 0
        scale = args.get("scale", True) is not False
        shift = args.get("center", True) is not False and args.get("bias", True) is not False
        return size_of(args, size) * (scale + shift) if scale or shift else 0

    return count


def only_scaled(args: Mapping[str, Value]) -> Dim:
    """A normalisation with a scale per feature, and no shift."""
    return size_of(args, "normalized_shape") if args.get("elementwise_affine", True) else 0


def affine_if_asked(args: Mapping[str, Value]) -> Dim:
    """torch's instance normalisation: a scale and a shift per feature where ``affine`` asks for them."""
    return 2 * size_of(args, "num_features") if args.get("affine", False) else 0
