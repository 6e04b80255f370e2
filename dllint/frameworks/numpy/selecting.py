"""Searching and counting: ``unique``, ``argwhere``, ``isin``, ``digitize``, ``percentile``; sizes and single numbers."""

from __future__ import annotations

from typing import Final

from dllint.domains.dim import Dim, counted, opaque
from dllint.domains.dtype import BOOL, FLOAT64, INT64, DType
from dllint.domains.lattice import Unknown, UnknownFloat
from dllint.domains.shape import Shape
from dllint.frameworks.given import given
from dllint.frameworks.machine import Machine, handler
from dllint.frameworks.numpy.joining import array, new_array, rank, shape_of
from dllint.ir.program import TensorVal
from dllint.ir.values import Arguments, ListVal, Value


def _shape(value: Value) -> Shape | Unknown:
    if isinstance(value, TensorVal):
        found: Shape | Unknown = value.shape
        return found
    return () if isinstance(value, (int, float)) else Unknown("no-tensor", "numpy")


@handler("numpy.unique")
def unique(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The different elements, with as many further arrays as are asked for; or the different rows (``axis``)."""
    options = given("ar, return_index=False, return_inverse=False, return_counts=False, axis=None", arguments)
    x, number = array(machine, options.get("ar")), counted("classes")
    if not isinstance(x, TensorVal):
        return machine.unknown("no-tensor", "numpy.unique")
    flags = [options.get(f"return_{name}") for name in ("index", "inverse", "counts")]
    if not all(isinstance(flag, bool) for flag in flags):
        return machine.unknown("no-argument", "numpy.unique")
    values = new_array(machine, _of_different(x, options.get("axis"), number), x.dtype, x)
    size = _shape(x) if rank(x) == 1 else Unknown("backend", "numpy.unique")  # numpy 1 flattens it, numpy 2 does not
    more = [new_array(machine, s, INT64) for s, flag in zip(((number,), size, (number,)), flags, strict=True) if flag]
    return (values, *more) if more else values


def _of_different(x: TensorVal, axis: Value, number: Dim) -> Shape | Unknown:
    """The shape of the different elements; of the different slices along ``axis``, if one is given."""
    if axis is None:
        return (number,)
    sizes = shape_of(x)
    if sizes is None or not isinstance(axis, int) or not -len(sizes) <= axis < len(sizes):
        return Unknown("unknown-rank", "numpy.unique")
    place = axis % len(sizes)
    return (*sizes[:place], number, *sizes[place + 1 :])


@handler("numpy.argwhere")
def argwhere(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """(found, axes) indices."""
    x = array(machine, given("a", arguments).get("a"))
    return new_array(machine, (counted("found"), rank(x) or opaque("axes")), INT64)


@handler("numpy.flatnonzero")
def flatnonzero(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Indices."""
    return new_array(machine, (counted("found"),), INT64)


@handler("numpy.isin", "numpy.in1d")
def isin(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A truth value per element of the first array."""
    return new_array(machine, _shape(array(machine, arguments.args[0] if arguments.args else None)), BOOL)


@handler("numpy.partition")
def partition(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The elements along an axis in another order."""
    x = _ordered(machine, arguments)
    return machine.unknown("no-tensor", "numpy.partition") if x is None else new_array(machine, x.shape, x.dtype, x)


@handler("numpy.argpartition")
def argpartition(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The places of the elements along an axis in another order."""
    x = _ordered(machine, arguments)
    return machine.unknown("no-tensor", "numpy.argpartition") if x is None else new_array(machine, x.shape, INT64)


def _ordered(machine: Machine, arguments: Arguments) -> TensorVal | None:
    """The array that is ordered along one of its axes."""
    bound = given("a, kth, axis=-1, kind='introselect', order=None", arguments)
    x = array(machine, bound.get("a"))
    return x if isinstance(x, TensorVal) and isinstance(bound["axis"], int) else None


@handler("numpy.digitize")
def digitize(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The number of a bin per element."""
    return new_array(machine, _shape(array(machine, given("x, bins, right=False", arguments).get("x"))), INT64)


@handler("numpy.searchsorted")
def searchsorted(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A place per value."""
    return new_array(machine, _shape(array(machine, given("a, v, side='left', sorter=None", arguments).get("v"))), INT64)


@handler("numpy.interp")
def interp(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A number per place."""
    return new_array(machine, _shape(array(machine, given("x, xp, fp, left=None, right=None", arguments).get("x"))), FLOAT64)


@handler("numpy.histogram")
def histogram(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Counts and edges of the bins."""
    bins = given("a, bins=10, range=None", arguments).get("bins")
    count = bins if isinstance(bins, int) else opaque("bins", 1)
    x = arguments.args[0] if arguments.args else None
    kept = isinstance(x, TensorVal) and isinstance(x.dtype, DType) and x.dtype.kind in ("float", "complex")
    edges = x.dtype if kept and isinstance(x, TensorVal) else FLOAT64
    return new_array(machine, (count,), INT64), new_array(machine, (count + 1,), edges)


_PERCENTILE: Final = (
    "a, q, axis=None, out=None, overwrite_input=False, method='linear', keepdims=False, *, weights=None, interpolation='linear'"
)


def _is_one(value: Value) -> bool:
    """Whether a share is one number."""
    return isinstance(value, (int, float, UnknownFloat))


@handler("numpy.quantile")
def quantile(machine: Machine, self: Value, arguments: Arguments) -> Value:
    """``percentile`` with shares of 1; of whole numbers at whole shares it takes elements as they are."""
    found, x = percentile(machine, self, arguments), array(machine, given(_PERCENTILE, arguments).get("a"))
    if isinstance(found, TensorVal) and not (
        isinstance(x, TensorVal) and isinstance(x.dtype, DType) and x.dtype.kind == "float"
    ):
        return new_array(machine, found.shape, Unknown("no-promotion", "q"))
    return found


@handler("numpy.percentile", "numpy.nanpercentile")
def percentile(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A number per slice of the axis, for each of the shares asked for."""
    options = given(_PERCENTILE, arguments)
    args = {"x": array(machine, options.get("a")), "dim": options.get("axis"), "keepdim": options.get("keepdims")}
    one = machine.emit("mean", args, framework="numpy", spelled="numpy.percentile")
    if isinstance(one, TensorVal) and (options["method"] != "linear" or options["interpolation"] != "linear"):
        return new_array(machine, one.shape if _is_one(options.get("q")) else Unknown("no-argument", "q"), Unknown("method"))
    shares = array(machine, options.get("q")) if isinstance(options.get("q"), (ListVal, tuple)) else options.get("q")
    if isinstance(one, TensorVal) and not isinstance(shares, (int, float, UnknownFloat, TensorVal)):
        return new_array(machine, Unknown("no-argument", "q"), Unknown("no-argument", "q"))
    if not isinstance(shares, TensorVal) or not isinstance(one, TensorVal):
        return one
    front, back = shape_of(shares), shape_of(one)
    shape = (*front, *back) if front is not None and back is not None else Unknown("no-argument", "q")
    return new_array(machine, shape, _precision_of_shares(args["x"], shares))


def _precision_of_shares(x: Value, shares: TensorVal) -> DType | Unknown:
    """The element type of what lies at several shares: small whole numbers follow the type of the shares."""
    double = any(isinstance(value, TensorVal) and value.dtype == FLOAT64 for value in (x, shares))
    return FLOAT64 if double else Unknown("no-promotion", "q")


@handler("numpy.tril_indices", "numpy.triu_indices")
def triangle(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The rows and the columns of the numbers in a triangle of a matrix, as many of one as of the other."""
    number = counted("found")
    return tuple(new_array(machine, (number,), INT64) for _ in range(2))


@handler("numpy.unravel_index")
def unraveled(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """An index for each axis of a shape."""
    bound = given("indices, shape, order='C'", arguments)
    sizes = bound.get("shape")
    items = sizes.items if isinstance(sizes, ListVal) and sizes.rest is None else sizes
    place = bound.get("indices")
    if not isinstance(items, (tuple, list)):
        return machine.unknown("no-argument", "numpy.unravel_index")
    if isinstance(place, TensorVal):
        return tuple(new_array(machine, place.shape, INT64) for _ in items)
    return tuple(Unknown("element", "unravel_index") for _ in items)


@handler("numpy.linalg.inv", "numpy.linalg.cholesky")
def inverse(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A matrix of the same size."""
    x = array(machine, arguments.args[0] if arguments.args else None)
    return new_array(machine, _shape(x), _solved_in(x))


@handler("numpy.linalg.solve")
def solve(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``solve(a, b)`` has the shape of ``b``."""
    options = given("a, b", arguments)
    a, b = array(machine, options.get("a")), array(machine, options.get("b"))
    one, other = _solved_in(a), _solved_in(b)
    return new_array(machine, _shape(b), one if one == other else Unknown("no-promotion", "solve"))


def _solved_in(x: Value) -> DType | Unknown:
    """The element type in which equations are solved: whole numbers become floating-point ones."""
    dtype = x.dtype if isinstance(x, TensorVal) else Unknown("no-argument", "a")
    return FLOAT64 if isinstance(dtype, DType) and dtype.kind in ("bool", "int") else dtype


@handler("numpy.shape")
def shape(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The sizes."""
    return machine.getattr(array(machine, arguments.args[0] if arguments.args else None), "shape")


@handler("numpy.ndim")
def ndim(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The number of axes."""
    return machine.getattr(array(machine, arguments.args[0] if arguments.args else None), "ndim")


@handler("numpy.size")
def size(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """The number of elements, or the size of an axis."""
    options = given("a, axis=None", arguments)
    x, axis = array(machine, options.get("a")), options.get("axis")
    if axis is None:
        return machine.getattr(x, "size")
    if not isinstance(axis, (int, Unknown)):
        return machine.unknown("no-argument", "axis")
    return machine.getitem(machine.getattr(x, "shape"), axis)


@handler("numpy.array_equal", "numpy.allclose", "numpy.testing.assert_allclose", "numpy.testing.assert_array_equal")
def compared(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Not followed."""
    return Unknown("undecided", "allclose")


@handler("numpy.ndarray.item", "numpy.asscalar")
def single(machine: Machine, x: Value, arguments: Arguments) -> Value:
    """One number; a whole one of an array of whole numbers, of which it is not known which."""
    array = x if x is not None else arguments.positional(0)
    dtype = array.dtype if isinstance(array, TensorVal) else None
    if not isinstance(array, TensorVal) or not isinstance(dtype, DType):
        return Unknown("element", "item")
    known = machine.elements(array)
    while isinstance(known, tuple) and len(known) == 1:
        known = known[0]
    if isinstance(known, (int, float, UnknownFloat)):
        return known
    return UnknownFloat("element", "item") if dtype.kind == "float" else machine.unknown("element", "item")


@handler("numpy.ndarray.tolist", on=TensorVal)
def to_list(machine: Machine, x: TensorVal, arguments: Arguments) -> Value:
    """The elements of an array that is computed of written numbers, as nested lists."""
    found = machine.elements(x)
    return machine.unknown("unmodelled-call", "numpy.ndarray.tolist") if found is None else _as_list(found)


def _as_list(data: Value) -> Value:
    return ListVal([_as_list(part) for part in data]) if isinstance(data, tuple) else data


@handler("numpy.ndarray.sort", "numpy.ndarray.partition", "numpy.ndarray.put", "numpy.ndarray.tofile", "numpy.ndarray.dump",
         "numpy.ndarray.setflags", "numpy.seterr")  # fmt: skip
def in_place(machine: Machine, x: Value, arguments: Arguments) -> Value:
    """Changes elements (:mod:`dllint.lower.effects` knows which of them do) or nothing."""
    return None


@handler("numpy.ndarray.fill", on=TensorVal)
def fill(machine: Machine, x: TensorVal, arguments: Arguments) -> Value:
    """``x.fill(value)``."""
    value = given("value", arguments).get("value", Unknown("no-argument", "value"))
    result = machine.emit("fill_with", {"x": x, "value": value}, framework="numpy", spelled="numpy.ndarray.fill")
    if isinstance(result, TensorVal):
        machine.wrote(x, result)
    return None


@handler("numpy.ndarray.resize", on=TensorVal)
def resize(machine: Machine, x: TensorVal, arguments: Arguments) -> Value:
    """``x.resize(sizes)``: the array itself gets another shape."""
    bound = given("*new_shape, refcheck=True", arguments)
    sizes = bound["new_shape"]
    if isinstance(sizes, tuple) and len(sizes) == 1 and not isinstance(sizes[0], int):
        sizes = sizes[0]
    result = machine.emit("resize_memory", {"x": x, "shape": sizes}, framework="numpy", spelled="numpy.ndarray.resize")
    if isinstance(result, TensorVal):
        machine.wrote(x, result, became=True)
    return None
