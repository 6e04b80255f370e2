"""Operations on tensors of unknown rank whose last size is known: what is the same for every rank is known of the result.

``chunk(2, dim=-1)`` of (..., 64) gives parts (..., 32), whatever stands in front. The operation is applied to tensors of one
to five axes with sizes that nothing is known of; low ranks at which it raises are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import product
from typing import Final

from dllint.domains.dim import Dim, opaque, same
from dllint.domains.lattice import Unknown
from dllint.domains.shape import OpenShape, Shape, TensorType
from dllint.ir.values import PartsVal, Value

_HIGHEST: Final = 5
#: The ranks that are tried, by the number of tensors; where it takes the highest, an axis named from the front is not the last.
_RANKS: Final = {
    1: tuple((rank,) for rank in range(1, _HIGHEST + 1)),
    2: (*product((1, 2, _HIGHEST), repeat=2), (3, 3), (4, 4)),
}
Evaluate = Callable[[Mapping[str, Value]], Value]


def in_every_rank(result: Value, args: Mapping[str, Value], evaluate: Evaluate) -> Value:
    """The result of an operation with the last sizes that its tensors have for every rank. ``evaluate`` applies it to other
    arguments; it gives ``None`` where that raises."""
    shapes = {id(shape): shape for value in args.values() for shape in _open(value)}
    if len(shapes) not in _RANKS or not _lacks(result):
        return result
    made: list[Value] = []
    for ranks in _RANKS[len(shapes)]:
        chosen = {key: _shape(shape, rank) for (key, shape), rank in zip(shapes.items(), ranks, strict=True)}
        found = evaluate({name: _put(value, chosen) for name, value in args.items()})
        if found is None and min(ranks) < _HIGHEST:
            continue
        if found is None or not all(map(_ends, _tensors(found))) or (made and not _agree(made[0], found)):
            return result
        made.append(found)
    return _lifted(made[-1], next(iter(shapes.values()))) if made else result


def _open(value: Value) -> Iterator[OpenShape]:
    if isinstance(value, tuple):
        for part in value:
            yield from _open(part)
    elif isinstance(value, TensorType) and isinstance(value.shape, OpenShape):
        yield value.shape


def _lacks(result: Value) -> bool:
    """Whether nothing is known of the shape of any tensor of a result."""
    parts = result if isinstance(result, tuple) else (result,)
    shapes = [part.shape if isinstance(part, TensorType) else part for part in parts]
    return all(isinstance(shape, Unknown) and not isinstance(shape, OpenShape) for shape in shapes)


def _shape(shape: OpenShape, rank: int) -> Shape:
    return (*(opaque("leading") for _ in range(rank - 1)), shape.last)


def _put(value: Value, shapes: Mapping[int, Shape]) -> Value:
    """An argument with tensors of known rank."""
    if isinstance(value, tuple):
        return type(value)(_put(part, shapes) for part in value)
    if isinstance(value, TensorType) and id(value.shape) in shapes:
        return TensorType(shapes[id(value.shape)], value.dtype, value.strides)
    return value


def _tensors(result: Value) -> tuple[Value, ...]:
    return tuple(result) if isinstance(result, tuple) else (result,)


def _ends(part: Value) -> bool:
    """Whether a part of a result is a tensor with a last axis."""
    return isinstance(part, TensorType) and isinstance(part.shape, tuple) and len(part.shape) > 0


def _agree(one: Value, other: Value) -> bool:
    """Whether two results have as many tensors, with the same last sizes."""
    ones, others = _tensors(one), _tensors(other)
    return type(one) is type(other) and len(ones) == len(others) and all(map(_same_end, ones, others))


def _same_end(one: Value, other: Value) -> bool:
    return same(_last(one), _last(other))


def _last(part: Value) -> Dim:
    assert isinstance(part, TensorType)
    assert isinstance(part.shape, tuple)
    return part.shape[-1]


def _lifted(result: Value, reason: OpenShape) -> Value:
    """The result with a shape of any rank in front of each last size."""
    if isinstance(result, tuple):
        parts = tuple(_lifted(part, reason) for part in result)
        return PartsVal(parts) if isinstance(result, PartsVal) else parts
    assert isinstance(result, TensorType)
    strides = None if result.strides is None else Unknown("layout", "rank")
    return TensorType(OpenShape(reason.reason, reason.detail, _last(result)), result.dtype, strides)
