"""Whole numbers that operations compute of whole numbers: how graphs put shapes together.

Elements are a size or nested tuples of sizes, which may be symbolic.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from dllint.domains.dim import Dim, DimExpr, floordiv, maximum, minimum, mod, product, total
from dllint.domains.dtype import DType
from dllint.domains.elements import fits
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape
from dllint.ir.program import TensorVal
from dllint.ir.values import Value
from dllint.ops.sizes import whole_numbers

_MOST: Final = 256
Args = Mapping[str, Any]


def computed(kind: str, result: TensorVal, args: Args) -> Any:
    """The elements of an operation's result, from those of its arguments; ``None`` if they are not known, too many to be kept,
    or numbers that the element type does not hold, which arithmetic wraps around."""
    function = _FOLDS.get(kind)
    if function is None or not isinstance(result.dtype, DType) or result.dtype.kind not in ("int", "bool"):
        return None
    found = function(result, args)
    if found is None:
        return None
    numbers, dtype = flat(found), result.dtype
    are_kept = len(numbers) <= _MOST and all(_is_whole(each) and _is_held(each, dtype) for each in numbers)
    return found if are_kept else None


def vector(value: Value) -> tuple[Any, ...] | None:
    """Elements along one axis, a single one as the only one; ``None`` if they are not known, or nested."""
    if value is None:
        return None
    if not isinstance(value, tuple):
        return (value,)
    return None if any(isinstance(item, tuple) for item in value) else value


def flat(value: Value) -> list[Any]:
    """The numbers in nested tuples, in row-major order."""
    return [part for item in value for part in flat(item)] if isinstance(value, tuple) else [value]


def nested(numbers: Sequence[Value], shape: tuple[int, ...]) -> Any:
    """Elements in row-major order as nested tuples."""
    if not shape:
        return numbers[0] if numbers else None
    step = math.prod(shape[1:])
    return tuple(nested(numbers[at * step : (at + 1) * step], shape[1:]) for at in range(shape[0]))


def _is_whole(value: Value) -> bool:
    return isinstance(value, (int, DimExpr)) and not isinstance(value, bool)


def _is_held(value: int | DimExpr, dtype: DType) -> bool:
    """Whether an element type holds a number; a symbolic size is taken to be one of a tensor that there is."""
    return isinstance(value, DimExpr) or fits(value, dtype)


def _relaid(value: Value, result: TensorVal) -> Any:
    """Elements rearranged to the shape of a result."""
    shape = _known(result.shape)
    if value is None or shape is None:
        return None
    numbers = flat(value)
    return nested(numbers, shape) if math.prod(shape) == len(numbers) <= _MOST else None


def _known(shape: Shape | Unknown) -> tuple[int, ...] | None:
    return None if isinstance(shape, Unknown) else whole_numbers(shape)


def _same(result: TensorVal, args: Args) -> Any:
    return _relaid(args.get("x"), result)


def _cast(result: TensorVal, args: Args) -> Any:
    numbers = flat(args.get("x"))
    if not all(isinstance(v, (int, DimExpr)) or (isinstance(v, float) and math.isfinite(v)) for v in numbers):
        return None
    return _relaid(tuple(v if isinstance(v, DimExpr) else int(v) for v in numbers), result)


def _by_element(function: Callable[[Any, Any], Any]) -> Callable[[TensorVal, Args], Any]:
    def fold(_: TensorVal, args: Args) -> Any:
        return _paired(function, args.get("x"), args.get("y"))

    return fold


def _paired(function: Callable[[Any, Any], Any], x: Value, y: Value) -> Any:
    if isinstance(x, tuple) and isinstance(y, tuple) and len(x) != len(y):
        return None
    if isinstance(x, tuple) or isinstance(y, tuple):
        count = max(len(v) for v in (x, y) if isinstance(v, tuple))
        pairs = zip(_repeated(x, count), _repeated(y, count), strict=True)
        found = tuple(_paired(function, a, b) for a, b in pairs)
        return None if None in found else found
    return function(x, y) if _is_whole(x) and _is_whole(y) else None


def _repeated(value: Value, count: int) -> tuple[Any, ...]:
    return value if isinstance(value, tuple) else (value,) * count


def _quotient(x: Dim, y: Dim) -> Any:
    return floordiv(x, y) if isinstance(y, int) and y > 0 else None


def _rest(x: Dim, y: Dim) -> Any:
    return mod(x, y) if isinstance(y, int) and y > 0 else None


def _stacked(_: TensorVal, args: Args) -> Any:
    parts: Any = args.get("tensors")
    return parts if args.get("dim") in (0, None) and _all_known(parts) else None


def _joined(_: TensorVal, args: Args) -> Any:
    parts: Any = args.get("tensors")
    if args.get("dim") not in (0, None) or not _all_known(parts) or not all(isinstance(part, tuple) for part in parts):
        return None
    return tuple(item for part in parts for item in part)


def _all_known(parts: Value) -> bool:
    return isinstance(parts, tuple) and len(parts) <= _MOST and None not in parts


def _taken(_: TensorVal, args: Args) -> Any:
    x, index = args.get("x"), args.get("index")
    if not isinstance(x, tuple) or args.get("dim") != 0 or index is None:
        return None
    if isinstance(index, tuple):
        return tuple(x[i] for i in index) if all(_is_place(i, x) for i in index) else None
    return x[index] if _is_place(index, x) else None


def _is_place(index: Value, x: tuple[Value, ...]) -> bool:
    return isinstance(index, int) and -len(x) <= index < len(x)


def _decided(x: Value, y: Value) -> Any:
    """Whether sizes are equal, as 0 or 1, where that is decided."""
    if isinstance(x, int) and isinstance(y, int):
        return int(x == y)
    return 0 if any(isinstance(each, int) and each < 0 for each in (x, y)) else None


def _chosen(_: TensorVal, args: Args) -> Any:
    """Elementwise selection by a condition."""
    parts = [args.get(name) for name in ("condition", "x", "y")]
    count = max((len(part) for part in parts if isinstance(part, tuple)), default=None)
    if count is None or any(isinstance(part, tuple) and len(part) != count for part in parts):
        return None
    rows = zip(*(_repeated(part, count) for part in parts), strict=True)
    found = tuple(None if type(held) not in (int, bool) else x if held else y for held, x, y in rows)
    return None if None in found else found


def _spread(result: TensorVal, args: Args) -> Any:
    """A tensor filled with one number."""
    numbers = flat(args.get("x"))
    return _filled(numbers[0])(result, args) if len(numbers) == 1 and type(numbers[0]) is int else None


def _reduced(function: Callable[[list[Any]], Any]) -> Callable[[TensorVal, Args], Any]:
    def fold(result: TensorVal, args: Args) -> Any:
        x = args.get("x")
        if not isinstance(x, tuple) or not x or not all(map(_is_whole, x)):
            return None
        return _relaid(function(list(x)), result)

    return fold


def _filled(value: int | None = None) -> Callable[[TensorVal, Args], Any]:
    def fold(result: TensorVal, args: Args) -> Any:
        number, shape = args.get("fill_value") if value is None else value, _known(result.shape)
        if shape is None or math.prod(shape) > _MOST:
            return None
        return nested((number,) * math.prod(shape), shape) if math.prod(shape) else ()

    return fold


def _counted(_: TensorVal, args: Args) -> Any:
    start, end, step = args.get("start", 0), args.get("end"), args.get("step", 1)
    if not all(isinstance(v, int) for v in (start, end, step)) or not step:
        return None
    numbers = range(start, end, step)  # type: ignore[arg-type]
    # The length of a range may be more than `len` can tell.
    return None if numbers[_MOST : _MOST + 1] else tuple(numbers)


def _indexed(result: TensorVal, args: Args) -> Any:
    x, index = args.get("x"), args.get("index")
    if not isinstance(x, tuple) or not isinstance(index, tuple) or len(index) != 1:
        return None
    item = index[0]
    if isinstance(item, int):
        return x[item] if -len(x) <= item < len(x) else None
    bounds: tuple[Any, ...] = tuple(getattr(item, name, 0.5) for name in ("start", "stop", "step"))
    start, stop, step = bounds
    plain = all(part is None or isinstance(part, int) for part in (start, stop, step)) and step != 0
    return x[slice(start, stop, step)] if plain else None


_FOLDS: Final[Mapping[str, Callable[[TensorVal, Args], Any]]] = {
    **dict.fromkeys(("reshape", "unsqueeze", "squeeze", "identity", "detach"), _same),
    "cast": _cast,
    "add": _by_element(lambda x, y: x + y),
    "sub": _by_element(lambda x, y: x - y),
    "mul": _by_element(lambda x, y: x * y),
    "floor_divide": _by_element(_quotient),
    "mod": _by_element(_rest),
    "maximum": _by_element(maximum),
    "minimum": _by_element(minimum),
    "eq": _by_element(_decided),
    "where": _chosen,
    "broadcast_to": _spread,
    "stack": _stacked,
    "cat": _joined,
    "take": _taken,
    "getitem": _indexed,
    "prod": _reduced(product),
    "sum": _reduced(total),
    "full": _filled(),
    "zeros_like": _filled(0),
    "ones_like": _filled(1),
    "arange": _counted,
}
