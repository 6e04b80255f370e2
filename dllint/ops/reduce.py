"""Reductions along axes."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final

from dllint.domains.dim import Dim, DimExpr, product
from dllint.domains.dtype import BOOL, FLOAT32, FLOAT64, INT32, INT64, UINT8, DType
from dllint.domains.lattice import Unknown, UnknownFloat
from dllint.domains.shape import Shape, TensorType
from dllint.domains.unsolved import unsolved
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.binary import binary
from dllint.ops.operand import as_tensor, read_dtype
from dllint.ops.promotion import by_backend, floating, real_type, refuse, widened
from dllint.ops.sizes import is_dim
from dllint.ops.spec import Call, Flag, Result, known_shape, op
from dllint.ops.traits import Trait

TypeRule = Callable[[Call, TensorType], "DType | Unknown"]


def reduced_axes(call: Call, x: TensorType, dim: Value) -> tuple[int, ...] | Unknown:
    """The axes a reduction removes; all for ``None`` (torch: also for ``()``, but not in ``all`` and ``any``). Axes
    outside the rank or named twice are faults."""
    if isinstance(x.shape, Unknown):
        return x.shape
    every = tuple(range(len(x.shape)))
    if dim is None or (dim == () and call.framework == "torch" and call.kind not in ("all", "any")):
        return every
    if isinstance(dim, Unknown):
        return dim
    wanted = dim if isinstance(dim, tuple) else (dim,)
    found = [call.axis(axis, x) for axis in wanted]
    axes = tuple(axis for axis in found if axis is not None)
    if len(axes) != len(wanted):
        return Unknown("no-argument", "dim")
    if len(set(axes)) != len(axes):
        call.fault(faults.OPERATOR_SHAPE, operand="dim", shapes=(x.shape,), detail=f"axis {wanted} names one axis twice")
    return tuple(axis for axis in sorted(set(axes)) if axis < len(every))


def reduced_shape(call: Call, x: TensorType, dim: Value, keepdim: Flag = False) -> Shape | Unknown:
    """The shape that is left; with ``keepdim`` reduced axes have size 1."""
    if isinstance(x.shape, Unknown):
        return () if dim is None and keepdim is False else x.shape if dim is None else Unknown("rank", "reduction")
    axes = reduced_axes(call, x, dim)
    if isinstance(keepdim, Unknown):
        return keepdim
    if isinstance(axes, Unknown):
        return tuple(unsolved("reduced", (size,)) for size in x.shape) if keepdim else axes
    if keepdim:
        return tuple(1 if axis in axes else size for axis, size in enumerate(x.shape))
    return tuple(size for axis, size in enumerate(x.shape) if axis not in axes)


def _kept(call: Call, x: TensorType) -> DType | Unknown:
    return x.dtype


def _wide(call: Call, x: TensorType) -> DType | Unknown:
    return widened(call, x.dtype)


def _product(call: Call, x: TensorType) -> DType | Unknown:
    return by_backend(call, widened(call, x.dtype))


def _mean(call: Call, x: TensorType) -> DType | Unknown:
    """torch has no mean of integers; TensorFlow's is an integer; numpy's is float64."""
    integer = isinstance(x.dtype, DType) and x.dtype.kind in ("bool", "int")
    if not integer or call.framework == "tensorflow":
        return x.dtype
    if call.framework == "torch":
        refuse(call, x)
    return FLOAT64 if call.framework == "numpy" else FLOAT32


def _magnitude(call: Call, x: TensorType) -> DType | Unknown:
    """A norm is a real number; Keras and TensorFlow keep complex types where others do not."""
    if real_type(x.dtype) != x.dtype and call.framework in ("keras", "tensorflow"):
        return Unknown("backend", "complex numbers")
    return by_backend(call, _real(call, x))


def _real(call: Call, x: TensorType) -> DType | Unknown:
    """Deviations: as the mean, but also TensorFlow refuses integers; those of complex numbers are real."""
    if (real := real_type(x.dtype)) != x.dtype:
        return real
    return floating(call, x) if call.framework == "tensorflow" else _mean(call, x)


def _logsumexp(call: Call, x: TensorType) -> DType | Unknown:
    return floating(call, x)


def _truth(call: Call, x: TensorType) -> DType | Unknown:
    """torch keeps uint8."""
    return x.dtype if call.framework == "torch" and (x.dtype == UINT8 or isinstance(x.dtype, Unknown)) else BOOL


def _count(call: Call, x: TensorType) -> DType | Unknown:
    return INT32 if call.framework == "keras" else INT64


def _median(call: Call, x: TensorType) -> DType | Unknown:
    return x.dtype if call.framework == "torch" else by_backend(call, _mean(call, x))


RULES: Mapping[str, TypeRule] = {
    "sum": _wide,
    "nansum": _wide,
    "prod": _product,
    "mean": _mean,
    "nanmean": _mean,
    "amax": _kept,
    "amin": _kept,
    "all": _truth,
    "any": _truth,
    "std": _real,
    "var": _magnitude,
    "logsumexp": _logsumexp,
    "count_nonzero": _count,
}
#: Reductions of Keras that keep no axes with some backends if they go over all of them.
_FLAT: Final = frozenset({"amax", "amin", "sum", "prod"})
_NEED_ELEMENTS = frozenset({"amax", "amin", "argmax", "argmin", "max_dim", "min_dim"})


def _product_of_sizes(x: Value) -> Dim | Unknown | None:
    """The product of a shape; ``None`` if ``x`` is none. That of what is not known is another number than that itself."""
    if isinstance(x, Unknown):
        return Unknown("unknown-number", "prod")
    if not isinstance(x, tuple) or not x or not all(isinstance(part, (int, DimExpr, Unknown)) for part in x):
        return None
    known = [part for part in x if is_dim(part)]
    return product(known) if len(known) == len(x) else Unknown("no-argument", "prod")


def reduction(call: Call, x: Value, dim: Value = None, keepdim: Flag = False, dtype: Value = None) -> Result:
    """``x`` with the axes ``dim`` reduced (``None``: all)."""
    if call.kind == "prod" and call.framework != "torch" and (count := _product_of_sizes(x)) is not None:
        return count
    given = as_tensor(call, x)
    wanted = read_dtype(dtype)
    if wanted is not None:
        given = given.with_dtype(wanted)
    shape = reduced_shape(call, given, dim, keepdim)
    _need_elements(call, given, dim)
    if call.framework == "keras" and call.kind in _FLAT and dim is None and keepdim:
        shape = Unknown("backend", "keepdims over all axes")
    if call.framework == "keras" and call.kind == "count_nonzero" and isinstance(shape, tuple) and len(shape) > 1:
        shape = Unknown("backend", "axes in the other order")
    if x == () and call.framework == "tensorflow" and wanted is None:  # of no numbers, or the sizes of what has no axes
        return TensorType(shape, Unknown("no-argument", "element type"))
    return TensorType(shape, wanted if wanted is not None else RULES[call.kind](call, given))


#: What is true of each.
_TRAITS: Final[Mapping[str, Trait]] = {
    "sum": Trait.KEEPS_SIGN | Trait.REDUCES | Trait.SUMS | Trait.AUTOCAST_SINGLE_ON_CARD,
    "nansum": Trait.KEEPS_SIGN | Trait.REDUCES | Trait.SUMS | Trait.SKIPS_NAN,
    "prod": Trait.REDUCES | Trait.ZERO_IF_ANY | Trait.AUTOCAST_SINGLE,
    "mean": Trait.KEEPS_SIGN | Trait.REDUCES | Trait.AVERAGES,
    "nanmean": Trait.KEEPS_SIGN | Trait.REDUCES | Trait.AVERAGES | Trait.SKIPS_NAN,
    "amax": Trait.PICKS_LARGE | Trait.LARGEST,
    "amin": Trait.SMALLEST,
    "all": Trait.TRUTH | Trait.REDUCES | Trait.ZERO_IF_ANY,
    "any": Trait.TRUTH | Trait.REDUCES,
    "std": Trait.NON_NEGATIVE | Trait.REDUCES | Trait.DEVIATION | Trait.NEEDS_OPERAND,
    "var": Trait.NON_NEGATIVE | Trait.REDUCES | Trait.VARIANCE | Trait.NEEDS_OPERAND,
    "logsumexp": Trait.REDUCES | Trait.LOG_SUM_EXP | Trait.AUTOCAST_SINGLE_ON_CARD,
    "count_nonzero": Trait.NON_NEGATIVE | Trait.NO_GRADIENT | Trait.REDUCES,
}


@op("norm", traits=Trait.NON_NEGATIVE | Trait.REDUCES | Trait.LENGTH | Trait.AUTOCAST_SINGLE_ON_CARD)
def norm(call: Call, x: Value, p: Value = None, dim: Value = None, keepdim: Flag = False, dtype: Value = None) -> Result:
    """The length along the axes ``dim`` (``None``: of all elements), of order ``p`` (``None``: 2, the Euclidean one).

    TensorFlow has sums and maxima of magnitudes of signed integers, as integers, and no other norm of them (run with 2.21).
    """
    given = as_tensor(call, x)
    wanted = read_dtype(dtype)
    if wanted is not None:
        given = given.with_dtype(wanted)
    shape = reduced_shape(call, given, dim, keepdim)
    if wanted is not None:
        return TensorType(shape, wanted)
    if call.framework == "tensorflow" and isinstance(given.dtype, DType) and given.dtype.kind == "int" and given.dtype.signed:
        if isinstance(p, (int, float)) and p in (1, math.inf):
            return TensorType(shape, given.dtype)
        if not (p is None or isinstance(p, (int, float, str))):
            return TensorType(shape, Unknown("no-argument", "order"))
    return TensorType(shape, _magnitude(call, given))


for _name in RULES:
    op(_name, traits=_TRAITS[_name], various=_name == "prod")(reduction)


def _need_elements(call: Call, x: TensorType, dim: Value) -> None:
    """A maximum over no elements does not exist (TensorFlow: it is the least number)."""
    shape = known_shape(x)
    if call.framework == "tensorflow" and call.kind in ("amax", "amin"):
        return
    if call.kind not in _NEED_ELEMENTS or shape is None or isinstance(dim, Unknown):
        return
    axes = Call(call.kind, call.framework)
    found = reduced_axes(axes, x, dim)
    empty = [a for a in found if shape[a] == 0] if isinstance(found, tuple) else []
    if empty:
        detail = f"there is no element to choose from on axis {empty[0]}"
        call.fault(faults.OPERATOR_SHAPE, operand="x", axis=empty[0], shapes=(shape,), detail=detail)


def _index_type(call: Call) -> DType:
    return INT32 if call.framework == "keras" else INT64


def arg_reduction(call: Call, x: Value, dim: Value = None, keepdim: Flag = False, dtype: Value = None) -> Result:
    """The index of the extreme element along ``dim``; without ``dim`` in the flattened tensor (TensorFlow: axis 0)."""
    given = as_tensor(call, x)
    axis = 0 if dim is None and call.framework == "tensorflow" else dim
    _need_elements(call, given, axis)
    return TensorType(reduced_shape(call, given, axis, keepdim), read_dtype(dtype) or _index_type(call))


_PLACE_TRAITS: Final[Mapping[str, Trait]] = {
    "argmax": Trait.PICKS_LARGE | Trait.REDUCES | Trait.POSITIONS,
    "argmin": Trait.REDUCES | Trait.POSITIONS,
}

for _name, _traits in _PLACE_TRAITS.items():
    op(_name, traits=_traits)(arg_reduction)


def extreme(call: Call, x: TensorType, dim: Value = None, keepdim: Flag = False, y: Value = None) -> Result:
    """``torch.max``/``torch.min`` in its three forms: over everything, (values, indices) along ``dim``, or of two tensors."""
    if isinstance(dim, Unknown) or isinstance(y, Unknown):
        return Unknown("no-argument", "dim")
    other = dim if isinstance(dim, TensorType) else y
    if other is not None:
        return binary(_as(call, "maximum" if call.kind == "max_dim" else "minimum"), x, other)
    _need_elements(call, x, dim)
    shape = reduced_shape(call, x, dim, keepdim)
    values = TensorType(shape, x.dtype)
    return values if dim is None else (values, TensorType(shape, INT64))


def _as(call: Call, kind: str) -> Call:
    """The same application under another operation's rules; faults go to the same list."""
    return Call(kind, call.framework, call.faults)


_EXTREME_TRAITS: Final[Mapping[str, Trait]] = {
    "max_dim": Trait.PICKS_LARGE | Trait.LARGEST,
    "min_dim": Trait.SMALLEST,
}

for _name, _traits in _EXTREME_TRAITS.items():
    op(_name, traits=_traits, various=True)(extreme)


@op("mode", traits=Trait.SELECTS | Trait.RANKS | Trait.REDUCES, various=True)
def mode(call: Call, x: TensorType, dim: Value = -1, keepdim: Flag = False) -> Result:
    """The most frequent element along an axis: (values, indices)."""
    shape = reduced_shape(call, x, dim, keepdim)
    return (TensorType(shape, x.dtype), TensorType(shape, INT64))


@op("kthvalue", traits=Trait.SELECTS | Trait.RANKS | Trait.REDUCES, various=True)
def kthvalue(call: Call, x: TensorType, k: Value, dim: Value = -1, keepdim: Flag = False) -> Result:
    """The k-th smallest element along an axis: (values, indices). The smallest is the first."""
    shape = known_shape(x)
    inside = shape is not None and isinstance(dim, int) and -len(shape) <= dim < len(shape)
    count = shape[dim] if shape and inside and isinstance(dim, int) else 1 if shape == () else None
    if isinstance(k, int) and isinstance(count, int) and count and not 1 <= k <= count:
        call.fault(faults.ARGUMENT, operand="k", actual=k, detail=f"k must lie between 1 and {count}, not {k}")
    return mode(call, x, dim, keepdim)


_NUMBERS: Final = (int, float, UnknownFloat)
_SORTED: Final = Unknown("layout", "quantile")


@op("quantile", traits=Trait.KEEPS_SIGN)
def quantile(call: Call, x: TensorType, q: Value, dim: Value = None, keepdim: Flag = False) -> Result:
    """The numbers below which shares ``q`` of the elements along an axis lie; of a row of shares, along a new first axis."""
    given = as_tensor(call, x)
    if call.framework == "torch" and isinstance(given.dtype, DType) and given.dtype not in (FLOAT32, FLOAT64):
        call.fault(faults.DTYPE, operand="x", expected=FLOAT32, actual=given.dtype)
    shape = reduced_shape(call, given, dim, keepdim)
    shares = q.shape if isinstance(q, TensorType) else () if isinstance(q, _NUMBERS) else Unknown("no-argument", "q")
    if isinstance(shape, Unknown) or isinstance(shares, Unknown):
        return TensorType(shape if isinstance(shape, Unknown) else Unknown("no-argument", "q"), given.dtype, _SORTED)
    return TensorType((*shares, *shape), given.dtype, _SORTED)


@op("median", traits=Trait.SELECTS | Trait.RANKS | Trait.REDUCES, various=True)
def median(call: Call, x: Value, dim: Value = None, keepdim: Flag = False) -> Result:
    """The median; torch gives (values, indices) along an axis."""
    given = as_tensor(call, x)
    if isinstance(dim, Unknown) and call.framework == "torch":
        return dim
    values = TensorType(reduced_shape(call, given, dim, keepdim), _median(call, given))
    return (values, TensorType(values.shape, INT64)) if call.framework == "torch" and dim is not None else values


@op("aminmax", traits=Trait.SELECTS | Trait.RANKS | Trait.REDUCES, various=True)
def aminmax(call: Call, x: TensorType, dim: Value = None, keepdim: Flag = False) -> Result:
    """Both extremes."""
    found = TensorType(reduced_shape(call, x, dim, keepdim), x.dtype)
    return (found, found)
