"""Cumulative operations and orderings along an axis."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dllint.domains.dim import Dim, bounds, counted, opaque, product, show
from dllint.domains.dtype import BOOL, FLOAT32, FLOAT64, INT32, INT64, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.operand import as_tensor, read_dtype
from dllint.ops.promotion import by_backend, has_no_elements, widened
from dllint.ops.sizes import is_dim
from dllint.ops.spec import Call, Flag, Result, known_shape, op
from dllint.ops.traits import Trait


def _index_type(call: Call) -> DType:
    return INT64 if call.framework in ("torch", "numpy") else INT32


def _along(call: Call, x: TensorType, dim: Value) -> Shape | Unknown:
    """The shape of ``x``, or of the flattened ``x`` if ``dim`` is ``None`` (numpy, Keras). numpy makes a vector of a number."""
    if call.framework == "torch":
        call.axis(dim, x)
        return x.shape
    if isinstance(dim, Unknown):
        return dim
    if dim is None:
        return (opaque("elements") if isinstance(x.shape, Unknown) else product(x.shape),)
    if isinstance(x.shape, Unknown):
        return x.shape
    if call.framework == "numpy" and x.shape == () and (not isinstance(dim, int) or dim in (0, -1)) and call.kind != "sort":
        return (1,)
    call.axis(dim, x)
    return x.shape


def cumulative(call: Call, x: TensorType, dim: Value = None, dtype: Value = None) -> Result:
    """Running sums or products; integers are widened as in a reduction (Keras and TensorFlow keep them)."""
    given = as_tensor(call, x)
    wanted = read_dtype(dtype)
    found = widened(call, given.dtype) if call.framework in ("torch", "numpy") or given.dtype == BOOL else given.dtype
    axis = 0 if dim is None and call.framework == "tensorflow" else dim
    return TensorType(_along(call, given, axis), by_backend(call, found if wanted is None else wanted))


_TRAITS: Final[Mapping[str, Trait]] = {
    "cumsum": (Trait.KEEPS_SHAPE | Trait.KEEPS_SIGN | Trait.SUMS | Trait.CUMULATES | Trait.AUTOCAST_SINGLE_ON_CARD),
    "cumprod": Trait.KEEPS_SHAPE | Trait.CUMULATES | Trait.AUTOCAST_SINGLE_ON_CARD,
    "logcumsumexp": Trait.KEEPS_SHAPE | Trait.CUMULATES | Trait.LOG_SUM_EXP,
}

for _name, _traits in _TRAITS.items():
    op(_name, traits=_traits)(cumulative)


def cumulative_extreme(call: Call, x: TensorType, dim: Value) -> Result:
    """Running maxima or minima: (values, indices); there are none of an empty tensor, whatever the axis."""
    if not has_no_elements(x):
        call.axis(dim, x)
    return (x.with_shape(x.shape), TensorType(x.shape, INT64))


_EXTREME_TRAITS: Final[Mapping[str, Trait]] = {
    "cummax": Trait.SELECTS | Trait.RANKS | Trait.PICKS_LARGE | Trait.KEEPS_SHAPE | Trait.CUMULATES,
    "cummin": Trait.SELECTS | Trait.RANKS | Trait.KEEPS_SHAPE | Trait.CUMULATES,
}

for _name, _traits in _EXTREME_TRAITS.items():
    op(_name, traits=_traits, various=True)(cumulative_extreme)


@op("sort", traits=Trait.KEEPS_VALUES | Trait.RANKS | Trait.KEEPS_SHAPE, various=True)
def sort(call: Call, x: TensorType, dim: Value = -1, descending: Value = False) -> Result:
    """Sorted elements; torch gives (values, indices)."""
    given = as_tensor(call, x)
    values = TensorType(_along(call, given, dim), given.dtype)
    return (values, TensorType(given.shape, INT64)) if call.framework == "torch" else values


@op("argsort", traits=Trait.KEEPS_SHAPE | Trait.POSITIONS)
def argsort(call: Call, x: TensorType, dim: Value = -1, descending: Value = False) -> Result:
    """The indices that sort."""
    given = as_tensor(call, x)
    return TensorType(_along(call, given, dim), _index_type(call))


@op("topk", traits=Trait.SELECTS | Trait.RANKS | Trait.PICKS_LARGE, various=True)
def topk(call: Call, x: TensorType, k: Value, dim: Value = -1) -> Result:
    """The ``k`` largest elements along ``dim``: (values, indices)."""
    axis = call.axis(dim, x)
    shape = known_shape(x)
    if shape is None or axis is None:
        found: Shape | Unknown = x.shape if shape is None else tuple(opaque("topk") for _ in shape)
    elif not shape:
        found = ()
    else:
        found = (*shape[:axis], _count(call, shape, axis, k), *shape[axis + 1 :])
    index = Unknown("backend", "index type") if call.framework == "keras" else _index_type(call)
    return (TensorType(found, x.dtype), TensorType(found, index))


def _count(call: Call, shape: Shape, axis: int, k: Value) -> Dim:
    if not is_dim(k):
        return opaque("k")
    low, _ = bounds(k - shape[axis])
    if low is not None and low > 0:
        detail = f"k = {show(k)} exceeds the size {show(shape[axis])} on axis {axis}"
        call.fault(
            faults.OPERATOR_SHAPE, operand="k", axis=axis, expected=shape[axis], actual=k, shapes=(shape,), detail=detail
        )
    return k


@op("unique", traits=Trait.SELECTS | Trait.RANKS, various=True)
def unique(
    call: Call,
    x: TensorType,
    dim: Value = None,
    return_inverse: Flag = False,
    return_counts: Flag = False,
    index_dtype: Value = INT64,
) -> Result:
    """The different elements (without ``dim``), with inverse indices and counts if wanted."""
    index = read_dtype(index_dtype) or INT64
    given = as_tensor(call, x)
    count = counted("unique")
    shape: Shape | Unknown = (count,) if dim is None else Unknown("no-argument", "unique along an axis")
    out: list[TensorType] = [TensorType(shape, given.dtype)]
    if isinstance(return_inverse, Unknown) or isinstance(return_counts, Unknown):
        return Unknown("no-argument", "unique")
    if return_inverse:
        out.append(TensorType(given.shape if dim is None else Unknown("no-argument", "unique along an axis"), index))
    if return_counts:
        out.append(TensorType((count,), index))
    return tuple(out) if len(out) > 1 else out[0]


@op("bincount", traits=Trait.NO_GRADIENT | Trait.ROW_BY_ROW)
def bincount(call: Call, x: TensorType, weight: Value = None, minlength: Value = 0) -> Result:
    """How often each number occurs in a vector (Keras: in each row)."""
    call.rank(x, 1, *((2,) if call.framework == "keras" else ()))
    low = minlength if isinstance(minlength, int) else 0
    bins = counted("bins", low)
    if call.framework != "keras":
        return TensorType((bins,), _counted(call, None if call.framework == "torch" and has_no_elements(x) else weight))
    return TensorType(x.shape if isinstance(x.shape, Unknown) else (*x.shape[:-1], bins), _counted(call, weight))


def _counted(call: Call, weight: Value) -> DType | Unknown:
    """The type of counts; torch adds weights up in double precision, but those of single precision."""
    if isinstance(weight, Unknown):
        return weight
    if isinstance(weight, TensorType) and call.framework == "torch":
        return weight.dtype if weight.dtype == FLOAT32 or isinstance(weight.dtype, Unknown) else FLOAT64
    if isinstance(weight, TensorType):
        return weight.dtype if call.framework != "keras" else Unknown("backend", "weights")
    return _index_type(call)


@op("histc", traits=Trait.NON_NEGATIVE | Trait.NO_GRADIENT | Trait.ROW_BY_ROW)
def histc(call: Call, x: TensorType, bins: Value = 100) -> Result:
    """A histogram with ``bins`` bins."""
    return TensorType((bins if is_dim(bins) else opaque("bins"),), x.dtype)


@op("searchsorted", traits=Trait.POSITIONS)
def searchsorted(call: Call, x: TensorType, y: Value) -> Result:
    """Where the elements of ``y`` would stand in the sorted ``x``."""
    return TensorType(as_tensor(call, y).shape, INT64 if call.framework != "keras" else INT32)


@op("isin", traits=Trait.NO_GRADIENT)
def isin(call: Call, x: Value, y: Value) -> Result:
    """Which elements of ``x`` occur in ``y``."""
    return TensorType(as_tensor(call, x).shape, BOOL)
