"""Least upper bounds of abstract values, and their structural equality."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce
from typing import TYPE_CHECKING, Any

from dllint.domains.atoms import Symbol
from dllint.domains.dim import VARYING, Dim, DimExpr, is_fixed, same, symbol, symbols
from dllint.domains.lattice import UNKNOWN_NUMBERS, Unknown, UnknownBool, UnknownFloat, UnknownInt
from dllint.domains.shape import OpenShape, Shape, TensorType, join_dims, join_types
from dllint.domains.substitution import substitute
from dllint.ir.program import TRAINING, UNSET_MODE, TensorVal
from dllint.ir.values import (
    Assumed,
    DictVal,
    InstanceVal,
    IterVal,
    LayerConfig,
    ListVal,
    PartialVal,
    PartsVal,
    RangeVal,
    SetVal,
    SizesVal,
    TensorSize,
    Value,
)
from dllint.lower import bulk
from dllint.lower.arguments import is_argument
from dllint.lower.lazy import Arithmetic, ChoiceVal
from dllint.lower.scopes import MISSING
from dllint.ops.literal import is_number, number_kind

if TYPE_CHECKING:
    from dllint.lower.parts import Joins

_CONSTANTS = (bool, int, float, str, bytes, complex, type(None))
_MAX_OPTIONS = 4


def join(m: Joins, a: Value, b: Value) -> Value:
    """A value that stands for both. A place that only one branch has set keeps that branch's value."""
    if a is b or b is MISSING:
        return a
    if a is MISSING:
        return b
    if isinstance(a, Assumed) or isinstance(b, Assumed):
        return _join_assumed(m, a, b)
    if type(a) is type(b):
        if isinstance(a, _CONSTANTS) and a == b:
            return a
        if bulk.is_bulky(a) or bulk.is_bulky(b):
            return Unknown("joined-branches")
        if (joiner := _JOIN.get(type(a))) is not None:
            return joiner(m, a, b)
    return _join_unlike(m, a, b)


def join_all(m: Joins, values: list[Value]) -> Value:
    """The join of one or more values. Equal objects are joined once. Charges fuel."""
    distinct = list({id(value): value for value in values}.values())
    m.pay(len(distinct) - 1)
    return reduce(partial(join, m), distinct)


def another(m: Joins, value: Value) -> Value:
    """A copy of an element for another position: unknown sizes in it become new symbols."""
    if not isinstance(value, TensorVal) or isinstance(value.shape, Unknown):
        return value
    varying = {s for size in value.shape for s in symbols(size) if s.origin in VARYING}
    if not varying:
        return value
    others: dict[Symbol, Dim] = {s: symbol(s.name, s.origin, s.lower, s.upper) for s in varying}
    shape = tuple(substitute(size, others) for size in value.shape)
    return m.merge_tensors(value, value, value.type.with_shape(shape))


def further(value: Value) -> Value:
    """A value as the ``rest`` of a list or dict, where None says that nothing follows."""
    return Unknown("element", "None") if value is None else value


def _join_assumed(m: Joins, a: Value, b: Value) -> Value:
    inner_a, inner_b = (v.value if isinstance(v, Assumed) else v for v in (a, b))
    joined = join(m, inner_a, inner_b)
    source = next((v.source for v in (a, b) if isinstance(v, Assumed)), "")
    return Assumed(joined, source) if not isinstance(joined, Unknown) else joined


def _join_unlike(m: Joins, a: Value, b: Value) -> Value:
    numbers = [v for v in (a, b) if isinstance(v, (int, DimExpr)) and not isinstance(v, bool)]
    if len(numbers) == 2:
        return join_dims(numbers[0], numbers[1])
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return _join_unknown(m, a, b)
    return _choice(a, b)


def _join_unknown(m: Joins, a: Value, b: Value) -> Value:
    """The join with an unknown value. An argument that may be a number, joined with a number, is a new argument."""
    unknown, other = (a, b) if isinstance(a, Unknown) else (b, a)
    if isinstance(unknown, UNKNOWN_NUMBERS) and isinstance(other, TensorVal):
        return _choice(a, b)
    if isinstance(unknown, (UnknownBool, UnknownInt)) and not (is_number(other) and number_kind(other) == number_kind(unknown)):
        return m.derive(("joined", id(a), id(b)), lambda: Unknown(unknown.reason, unknown.detail), a, b)
    number = isinstance(other, (int, DimExpr)) and not isinstance(other, bool)
    if not (is_argument(unknown) or isinstance(unknown, Arithmetic)) or not (number or isinstance(other, Unknown)):
        return unknown
    return m.derive(("joined", id(a), id(b)), lambda: Unknown("argument", "joined"), a, b)


def _choice(a: Value, b: Value) -> Value:
    options = [*(a.options if isinstance(a, ChoiceVal) else (a,)), *(b.options if isinstance(b, ChoiceVal) else (b,))]
    kept: list[Value] = []
    for option in options:
        if not any(alike(option, other) for other in kept):
            kept.append(option)
    if len(kept) == 1:
        return kept[0]
    return ChoiceVal(tuple(kept)) if len(kept) <= _MAX_OPTIONS else Unknown("joined-branches")


def _join_tensors(m: Joins, a: TensorVal, b: TensorVal) -> Value:
    return m.merge_tensors(a, b, join_types(a.type, b.type))


def _join_tuples(m: Joins, a: tuple[Value, ...], b: tuple[Value, ...]) -> Value:
    if len(a) != len(b):
        return _choice(a, b)
    return type(a)(join(m, x, y) for x, y in zip(a, b, strict=True))


def _join_lists(m: Joins, a: ListVal, b: ListVal) -> Value:
    if min(a.born, b.born) < m.control.joined_since:
        return ChoiceVal((a, b))
    if len(a.items) == len(b.items) and a.rest is None and b.rest is None:
        return ListVal([join(m, x, y) for x, y in zip(a.items, b.items, strict=True)], alternatives=(a, b))
    return _choice(a, b)


def _join_dicts(m: Joins, a: DictVal, b: DictVal) -> Value:
    """Keys of one side are kept with their values; where each side has its own, they exclude each other."""
    if min(a.born, b.born) < m.control.joined_since or a.named != b.named:
        return ChoiceVal((a, b))
    apart = [v for one, other in ((a, b), (b, a)) for k, v in one.items.items() if k not in other.items]
    if apart and not any(isinstance(v, (InstanceVal, TensorVal)) for v in apart):
        every = [*apart, *(v for v in (a.rest, b.rest) if v is not None)]
        common = {k: join(m, v, b.items[k]) for k, v in a.items.items() if k in b.items}
        out = _joined_dict(common, further(reduce(partial(join, m), every)), a, b)
        if a.rest is None and b.rest is None and (a.items.keys() <= b.items.keys() or b.items.keys() <= a.items.keys()):
            out.perhaps = {k: v for k, v in {**a.items, **b.items}.items() if k not in common}
        return out
    keys = [*a.items, *(k for k in b.items if k not in a.items)]
    rest = a.rest if b.rest is None else b.rest if a.rest is None else join(m, a.rest, b.rest)
    exclusive = not (a.items.keys() <= b.items.keys() or b.items.keys() <= a.items.keys())
    absent = Unknown("joined-branches", "key") if exclusive else MISSING
    return _joined_dict({k: join(m, a.items.get(k, absent), b.items.get(k, absent)) for k in keys}, rest, a, b)


def _joined_dict(items: dict[Any, Value], rest: Value, a: DictVal, b: DictVal) -> DictVal:
    """What is one of two dicts."""
    return DictVal(items, rest, alternatives=(a, b), read=a.read or b.read, named=a.named and b.named)


def _join_entries(_m: Joins, a: dict[Any, Value], b: dict[Any, Value]) -> dict[Any, Value]:
    """The entries that a dict has on one of two paths: if they are not the same, others of unknown keys may be there."""
    return a if a.keys() == b.keys() and all(value is b[key] for key, value in a.items()) else {}


def _join_instances(m: Joins, a: InstanceVal, b: InstanceVal) -> Value:
    return a if alike(a, b) else _choice(a, b)


def _join_refinements(_m: Joins, a: TensorType, b: TensorType) -> TensorType:
    """The type of one tensor that branches have refined: what an operation of one of them demands holds for all, if no other
    one demands another shape."""
    if _tells_nothing(a.shape):
        return b
    return a if _tells_nothing(b.shape) else join_types(a, b)


def _tells_nothing(shape: Shape | Unknown) -> bool:
    return isinstance(shape, Unknown) and not isinstance(shape, OpenShape)


def _join_layers(m: Joins, a: LayerConfig, b: LayerConfig) -> Value:
    if a.row is not b.row:
        return a
    return LayerConfig(a.row, {k: join(m, v, b.args.get(k, MISSING)) for k, v in a.args.items()}, a.nodes, a.defaulted)


_JOIN: dict[type, Callable[..., Value]] = {
    TensorVal: _join_tensors,
    TensorType: _join_refinements,
    LayerConfig: _join_layers,
    tuple: _join_tuples,
    SizesVal: _join_tuples,
    PartsVal: _join_tuples,
    ListVal: _join_lists,
    DictVal: _join_dicts,
    dict: _join_entries,
    frozenset: lambda _m, a, b: a | b,  # names that are noted of an object: each path may have added some
    InstanceVal: _join_instances,
    int: lambda _m, a, b: join_dims(a, b),
    TensorSize: lambda _m, a, b: join_dims(a, b),
    DimExpr: lambda _m, a, b: join_dims(a, b),
    bool: lambda _m, _a, _b: Unknown("joined-branches"),
    float: lambda _m, _a, _b: Unknown("joined-branches"),
}


_DEPTH = 12


def alike(a: Value, b: Value, depth: int = _DEPTH, loose: bool = False) -> bool:
    """Whether two values are the same for the analysis: equal constants and types, structurally equal objects.
    ``loose``: numbers that are no sizes (rates, epsilons) may differ."""
    if a is b:
        return True
    if depth == _DEPTH and bulk.is_bulky(a):
        return False
    if type(a) is not type(b) or depth == 0:
        return False
    if isinstance(a, _CONSTANTS):
        return bool(a == b) or (loose and isinstance(a, float))
    compare = _ALIKE.get(type(a))
    if compare is not None:
        return compare(a, b, depth - 1, loose)
    return a.__eq__(b) is True


def _alike_sequences(a: tuple[Value, ...] | list[Value], b: tuple[Value, ...] | list[Value], depth: int, loose: bool) -> bool:
    return len(a) == len(b) and all(alike(x, y, depth, loose) for x, y in zip(a, b, strict=True))


def _alike_dicts(a: dict[Any, Value], b: dict[Any, Value], depth: int, loose: bool) -> bool:
    return a.keys() == b.keys() and all(alike(v, b[k], depth, loose) for k, v in a.items())


def _alike_instances(a: InstanceVal, b: InstanceVal, depth: int, loose: bool) -> bool:
    if a.cls is not b.cls and a.cls != b.cls:
        return False
    if (a.layer is None) != (b.layer is None) or a.attrs.keys() != b.attrs.keys():
        return False
    if a.layer is not None and b.layer is not None and not _alike_dicts(a.layer.args, b.layer.args, depth, loose):
        return False
    return _alike_dicts(a.attrs, b.attrs, depth, loose) and _alike_dicts(_told(a.state), _told(b.state), depth, loose)


def _told(state: dict[str, Value]) -> dict[str, Value]:
    """The state of an object without a mode that nothing has set: it is noted when somebody asks for it, and tells nothing."""
    mode = state.get(TRAINING)
    if isinstance(mode, Unknown) and mode.reason == UNSET_MODE:
        return {name: value for name, value in state.items() if name != TRAINING}
    return state


def alike_types(a: TensorType, b: TensorType) -> bool:
    """Whether two tensor types say the same; sizes that nothing is known about are alike."""
    if a == b:
        return True
    left, right = a.shape, b.shape
    if isinstance(left, OpenShape) and isinstance(right, OpenShape):
        return _alike_sizes(left.last, right.last) and _same_dtype(a, b)
    if isinstance(left, Unknown) or isinstance(right, Unknown):
        return left.__class__ is right.__class__ and _same_dtype(a, b)
    return len(left) == len(right) and _same_dtype(a, b) and all(map(_alike_sizes, left, right))


def _same_dtype(a: TensorType, b: TensorType) -> bool:
    return a.dtype == b.dtype or (isinstance(a.dtype, Unknown) and isinstance(b.dtype, Unknown))


def _alike_sizes(a: Dim, b: Dim) -> bool:
    return same(a, b) or not (is_fixed(a) or is_fixed(b))


def _is_bounded(value: UnknownFloat) -> bool:
    return value.low is not None and value.high is not None and (value.low > 0 or value.high < 0)


_ALIKE: dict[type, Callable[[Any, Any, int, bool], bool]] = {
    tuple: _alike_sequences,
    SizesVal: _alike_sequences,
    PartsVal: _alike_sequences,
    Unknown: lambda a, b, _d, _loose: a.reason == b.reason and a.detail == b.detail,
    UnknownBool: lambda a, b, _d, _loose: a.reason == b.reason and a.detail == b.detail,
    UnknownInt: lambda a, b, _d, _loose: a.reason == b.reason and a.detail == b.detail,
    UnknownFloat: lambda a, b, _d, loose: a is b or (loose and _is_bounded(a) and _is_bounded(b)),
    DimExpr: lambda a, b, _d, _loose: not is_fixed(a) and not is_fixed(b),
    TensorVal: lambda a, b, _d, _loose: alike_types(a.type, b.type),
    ListVal: lambda a, b, d, loose: _alike_sequences(a.items, b.items, d, loose) and alike(a.rest, b.rest, d, loose),
    SetVal: lambda a, b, d, loose: _alike_sequences(a.items, b.items, d, loose) and alike(a.rest, b.rest, d, loose),
    IterVal: lambda a, b, d, loose: _alike_sequences(a.items, b.items, d, loose) and alike(a.rest, b.rest, d, loose),
    DictVal: lambda a, b, d, loose: _alike_dicts(a.items, b.items, d, loose) and alike(a.rest, b.rest, d, loose),
    RangeVal: lambda a, b, d, loose: _alike_sequences((a.start, a.stop, a.step), (b.start, b.stop, b.step), d, loose),
    PartialVal: lambda a, b, d, loose: (
        alike(a.func, b.func, d, loose)
        and _alike_sequences(a.args, b.args, d, loose)
        and _alike_dicts(dict(a.kwargs), dict(b.kwargs), d, loose)
    ),
    Assumed: lambda a, b, d, loose: alike(a.value, b.value, d, loose),
    InstanceVal: _alike_instances,
    LayerConfig: lambda a, b, d, loose: a.row is b.row and _alike_dicts(a.args, b.args, d, loose),
}
