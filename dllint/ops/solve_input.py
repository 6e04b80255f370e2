"""Solving for the declared width, or the input size, that makes a layer fit.

A flattened convolution stack gives a feature size such as ``64·((H + 3)//8)·((W + 3)//8)``. Against a declared 1600 two
repairs exist: the width that fits the input as it is, and the input sizes that give the declared width. Where the input
size is a number, the operations between the first window and the layer are inferred again for a symbolic one.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from dllint.domains.dim import Dim, is_fixed, symbol, symbols
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.domains.substitution import solve, substitute
from dllint.ir.program import Op, TensorVal
from dllint.ir.values import Value
from dllint.ops.layers import demand, layer
from dllint.ops.sizes import is_dim
from dllint.ops.spec import apply, known_shape

_LONGEST_WALK: Final = 400
_LARGEST_INPUT: Final = 1024


@dataclass(frozen=True, slots=True)
class Fit:
    """``inputs`` are the equal sizes of all spatial axes (H = W) at which the declared size is right, smallest first, for
    an input whose sizes now are ``current``."""

    inputs: tuple[int, ...] = ()
    current: tuple[Dim, ...] = ()


def input_sizes(actual: Dim, declared: int, limit: int = _LARGEST_INPUT) -> tuple[int, ...]:
    """The values of all input symbols of ``actual``, taken as equal, that make it ``declared``."""
    free = symbols(actual)
    if not free or not is_fixed(actual):
        return ()
    size = symbol("N")
    assert size.symbol is not None
    return solve(substitute(actual, dict.fromkeys(free, size)), declared, size.symbol, limit)


def fit(op: Op, declared: Value, actual: Value, axis: int | None = None) -> Fit:
    """What would make ``op`` fit, whose first tensor has the feature size ``actual`` along ``axis`` (the last one if not given)
    where it declares ``declared``. Sizes that do not come from those of an image, such as channels, are fitted by no image."""
    if not isinstance(declared, int) or not is_dim(actual) or not is_fixed(actual):
        return Fit()
    if not isinstance(actual, int):
        return Fit(input_sizes(actual, declared))
    return _refit(op, declared, -1 if axis is None else axis)


def _refit(op: Op, declared: int, at: int) -> Fit:
    x = op.args.get("x")
    image = _image(x) if isinstance(x, TensorVal) else None
    if image is None or not isinstance(x, TensorVal):
        return Fit()
    base, axes, shape = image
    size = symbol("N")
    free = tuple(size if axis in axes else dim for axis, dim in enumerate(shape))
    again = Replay(base, base.type.with_shape(free)).type_of(x)
    found = known_shape(again)
    if not found or at >= len(found) or size.symbol is None or symbols(found[at]) != {size.symbol}:
        return Fit()
    return Fit(solve(found[at], declared, size.symbol, _LARGEST_INPUT), tuple(shape[axis] for axis in axes))


def _image(x: TensorVal) -> tuple[TensorVal, tuple[int, ...], Shape] | None:
    """The tensor the furthest window back takes, its spatial axes and its shape."""
    found: Op | None = None
    value: Value = x
    for _ in range(_LONGEST_WALK):
        producer = value.producer if isinstance(value, TensorVal) else None
        if producer is None:
            break
        found = producer if layer(producer.kind).window else found
        value = producer.args.get("x")
    base = None if found is None else found.args.get("x")
    if found is None or not isinstance(base, TensorVal):
        return None
    needs, shape = demand(found.kind, found.framework, found.args), known_shape(base.type)
    if needs is None or shape is None or len(shape) != needs.ranks[0]:
        return None
    axes = tuple(axis for axis in range(1, len(shape)) if axis != needs.axis)
    return base, axes, shape


class Replay:
    """Infers types again with another type for one tensor."""

    def __init__(self, base: TensorVal, type_: TensorType) -> None:
        self.types: dict[int, Value] = {base.id: type_}
        self.left = _LONGEST_WALK

    def type_of(self, value: TensorVal) -> Value:
        """The type of a tensor under the change; its own if it does not depend on it."""
        if value.id not in self.types:
            self.types[value.id] = value.type
            if value.producer is not None and self.left > 0:
                self.left -= 1
                self._apply(value.producer)
        return self.types[value.id]

    def _apply(self, op: Op) -> None:
        args = {name: self._argument(arg) for name, arg in op.args.items()}
        if all(self.types.get(v.id, v.type) is v.type for v in op.inputs):
            return
        outcome = apply(op.kind, op.framework, args)
        for output, type_ in zip(op.outputs, _flat(outcome.result), strict=False):
            self.types[output.id] = type_

    def _argument(self, value: Value) -> Value:
        if isinstance(value, TensorVal):
            return self.type_of(value)
        return tuple(map(self._argument, value)) if isinstance(value, tuple) else value


def _flat(result: Value) -> list[Value]:
    if isinstance(result, (tuple, list)):
        return [part for item in result for part in _flat(item)]
    if isinstance(result, Mapping):
        return [part for item in result.values() for part in _flat(item)]
    return [result] if isinstance(result, (TensorType, Unknown)) else []
