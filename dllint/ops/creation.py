"""Tensors made from sizes, numbers and data."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from typing import Final

from dllint.domains.dim import Dim, add, floordiv, mul, opaque
from dllint.domains.dtype import BFLOAT16, FLOAT32, FLOAT64, INT32, INT64, DType
from dllint.domains.lattice import Unknown
from dllint.domains.numpy_float import NumpyFloat
from dllint.domains.shape import Shape, TensorType, show_shape
from dllint.domains.unsolved import unsolved
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.binary import broadcast_operands
from dllint.ops.literal import PYTHON_TYPES, is_number, literal_dtype, literal_shape, number_kind, refused_data
from dllint.ops.operand import as_tensor, dims_or_unknown, read_dtype
from dllint.ops.promotion import has_no_elements
from dllint.ops.sizes import is_dim, size
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait
from dllint.ops.view import elementwise_layout


def _float(call: Call) -> DType:
    return FLOAT64 if call.framework in ("numpy", "python") else FLOAT32


def _typed(dtype: Value, default: DType | Unknown) -> DType | Unknown:
    found = read_dtype(dtype)
    return default if found is None else found


def created_sizes(call: Call, shape: Value) -> Shape | Unknown:
    """A shape argument whose sizes are not negative; none for ``None``."""
    sizes = () if shape is None else dims_or_unknown(shape)
    for axis, length in enumerate(() if isinstance(sizes, Unknown) else sizes):
        if isinstance(length, int) and length < 0:
            call.fault(
                faults.ARGUMENT,
                operand="shape",
                axis=axis,
                actual=length,
                detail=f"the size {length} on axis {axis} is negative",
            )
    return sizes


def filled(call: Call, shape: Value = (), dtype: Value = None) -> Result:
    """A tensor of the given shape in the default floating type (numpy: float64)."""
    return TensorType(created_sizes(call, shape), _typed(dtype, _float(call)))


_FILLED_TRAITS: Final[Mapping[str, Trait]] = {
    "zeros": Trait.ZEROS | Trait.ROW_BY_ROW,
    "ones": Trait.ONES | Trait.ROW_BY_ROW,
    "empty": Trait.EMPTY | Trait.ROW_BY_ROW,
}

for _name, _traits in _FILLED_TRAITS.items():
    op(_name, traits=_traits)(filled)


def drawn(call: Call, shape: Value = (), dtype: Value = None) -> Result:
    """Random numbers of the given shape. A single size is a shape in numpy and torch; TensorFlow and Keras refuse it."""
    if isinstance(shape, int) and call.framework in ("tensorflow", "keras"):
        call.fault(faults.ARGUMENT, operand="shape", actual=shape, detail=f"the shape {shape} is no list of sizes")
        return Unknown("fault", "shape")
    made = filled(call, shape, dtype)
    if call.framework == "torch" and isinstance(made, TensorType) and isinstance(made.shape, tuple):
        _check_fractions(call, made)
    return made


def _check_fractions(call: Call, made: TensorType) -> None:
    """Record random fractions that are asked for as whole numbers or truth values."""
    if isinstance(made.dtype, DType) and made.dtype.kind in ("bool", "int") and not has_no_elements(made):
        call.fault(faults.DTYPE, operand="dtype", expected=FLOAT32, actual=made.dtype)


_DRAWN_TRAITS: Final[Mapping[str, Trait]] = {
    "rand": Trait.NON_NEGATIVE | Trait.DRAWS_EVENLY | Trait.CONTINUOUS | Trait.ROW_BY_ROW,
    "randn": Trait.DRAWS_NORMAL | Trait.CONTINUOUS | Trait.ROW_BY_ROW,
}

for _name, _traits in _DRAWN_TRAITS.items():
    op(_name, traits=_traits)(drawn)


@op("full", traits=Trait.FULL | Trait.ROW_BY_ROW)
def full(call: Call, shape: Value, fill_value: Value = 0, dtype: Value = None) -> Result:
    """A tensor filled with one value, of the value's type (Keras: the default float)."""
    if call.framework == "torch" and isinstance(fill_value, NumpyFloat):
        fill_value = float(fill_value)
    value = as_tensor(call, fill_value)
    default = _float(call) if call.framework == "keras" else value.dtype
    return TensorType(created_sizes(call, shape), _typed(dtype, default))


def alike(call: Call, x: TensorType, dtype: Value = None) -> Result:
    """A tensor with the shape and type of ``x``."""
    given = as_tensor(call, x)
    return TensorType(given.shape, _typed(dtype, given.dtype))


_ALIKE_TRAITS: Final[Mapping[str, Trait]] = {
    "zeros_like": Trait.KEEPS_SHAPE | Trait.NO_GRADIENT | Trait.ZEROS,
    "ones_like": Trait.KEEPS_SHAPE | Trait.NO_GRADIENT | Trait.ONES,
    "full_like": Trait.KEEPS_SHAPE | Trait.NO_GRADIENT | Trait.FULL,
    "empty_like": Trait.KEEPS_SHAPE | Trait.NO_GRADIENT | Trait.EMPTY,
    "rand_like": (Trait.KEEPS_SHAPE | Trait.NON_NEGATIVE | Trait.NO_GRADIENT | Trait.DRAWS_EVENLY | Trait.CONTINUOUS),
    "randn_like": Trait.KEEPS_SHAPE | Trait.NO_GRADIENT | Trait.DRAWS_NORMAL | Trait.CONTINUOUS,
    "randint_like": Trait.KEEPS_SHAPE | Trait.NO_GRADIENT | Trait.DRAWS_EVENLY,
}

for _name, _traits in _ALIKE_TRAITS.items():
    op(_name, traits=_traits)(alike)


def fresh(call: Call, x: TensorType, shape: Value, dtype: Value = None) -> Result:
    """A tensor of the given shape with the type of ``x`` (``x.new_zeros``)."""
    return TensorType(created_sizes(call, shape), _typed(dtype, x.dtype))


_FRESH_TRAITS: Final[Mapping[str, Trait]] = {
    "new_zeros": Trait.NO_GRADIENT | Trait.ZEROS | Trait.ROW_BY_ROW,
    "new_ones": Trait.NO_GRADIENT | Trait.ONES | Trait.ROW_BY_ROW,
    "new_full": Trait.NO_GRADIENT | Trait.FULL | Trait.ROW_BY_ROW,
    "new_empty": Trait.NO_GRADIENT | Trait.EMPTY | Trait.ROW_BY_ROW,
}

for _name, _traits in _FRESH_TRAITS.items():
    op(_name, traits=_traits)(fresh)


@op("randint", traits=Trait.MAKES_PLACES | Trait.DRAWS_EVENLY | Trait.ROW_BY_ROW)
def randint(call: Call, low: Value = 0, high: Value = None, shape: Value = (), dtype: Value = None) -> Result:
    """Random integers in ``[low, high)``."""
    default = INT32 if call.framework in ("keras", "tensorflow") else INT64
    return TensorType(created_sizes(call, shape), _typed(dtype, default))


@op("randperm", traits=Trait.POSITIONS | Trait.MAKES_PLACES | Trait.DRAWS | Trait.ROW_BY_ROW)
def randperm(call: Call, n: Value, dtype: Value = None) -> Result:
    """The numbers below ``n`` in random order (numpy also shuffles a given array)."""
    if isinstance(n, TensorType) and call.framework == "numpy":
        return n
    if isinstance(n, Unknown) and call.framework == "numpy":
        return n
    return TensorType((size(n, "n"),), _typed(dtype, INT64))


@op("normal", traits=Trait.DRAWS_NORMAL | Trait.CONTINUOUS)
def normal(call: Call, mean: Value = 0.0, std: Value = 1.0, shape: Value = None, dtype: Value = None) -> Result:
    """Normally distributed numbers: of the given shape, or one per element of ``mean`` and ``std``."""
    if shape is not None:
        return filled(call, shape, dtype)
    kinds = (value.dtype if isinstance(value, TensorType) else value for value in (mean, std))
    given = next((kind for kind in kinds if isinstance(kind, (DType, Unknown))), _float(call))
    return TensorType(broadcast_operands(call, mean, std), _typed(dtype, given))


@op("arange", traits=Trait.MAKES_PLACES | Trait.COUNTS_UP | Trait.ROW_BY_ROW)
def arange(call: Call, start: Value = 0, end: Value = None, step: Value = 1, dtype: Value = None) -> Result:
    """Numbers from ``start`` (or 0) to below ``end``; integers unless one of the arguments is a float. Where int64 is asked
    for, torch cuts the arguments to whole numbers first (and not for narrower integers, run with torch 2.13)."""
    first, last = (0, start) if end is None else (start, end)
    step = 1 if step is None else step
    if type(step) in (int, float) and step == 0:
        call.fault(faults.ARGUMENT, operand="step", actual=step, detail="step must not be 0")
    numbers = (first, last, step)
    unknown = next((v for v in numbers if not is_number(v)), None)
    kinds = {number_kind(v) for v in numbers if is_number(v)}
    kind = "float" if "float" in kinds else "int"
    default: DType | Unknown = PYTHON_TYPES[call.framework][kind]
    if unknown is not None and kind == "int":
        default = Unknown("no-argument", "arange of an unknown number")
    made = _typed(dtype, default)
    if call.framework == "torch" and float in map(type, numbers):
        if isinstance(made, Unknown):
            return TensorType((opaque("arange"),), made)
        if made == INT64:
            first, last, step = (int(v) if isinstance(v, float) and math.isfinite(v) else v for v in numbers)
    return TensorType((_range_length(call, first, last, step),), made)


def _range_length(call: Call, first: Value, last: Value, step: Value) -> Dim:
    """How many numbers a range has: the quotient, rounded up, in double precision, but in TensorFlow in the single precision of
    its floats (run against numpy 2, torch 2.13, TensorFlow 2.21)."""
    if isinstance(first, (int, float)) and isinstance(last, (int, float)) and isinstance(step, (int, float)) and step:
        count = math.ceil((last - first) / step)
        if call.framework not in ("numpy", "torch") and float in map(type, (first, last, step)):
            in_single = math.ceil(_single(_single(_single(last) - _single(first)) / _single(step)))
            if count != in_single and call.framework == "keras":
                return opaque("arange")  # the backend says which
            count = in_single
        if count < 0 and call.framework == "torch":
            call.fault(faults.ARGUMENT, operand="end", expected=first, actual=last, detail="the range runs against its step")
        return max(0, count)
    if not (is_dim(first) and is_dim(last) and isinstance(step, int) and step > 0):
        numbers = [number for number in (first, last, step) if is_dim(number)]
        return unsolved("arange", numbers) if len(numbers) == 3 else opaque("arange")
    span = add(last, mul(first, -1))
    return span if step == 1 else floordiv(add(span, step - 1), step)


def _single(number: float) -> float:
    """The nearest number in single precision."""
    try:
        return float(struct.unpack("f", struct.pack("f", number))[0])
    except OverflowError:
        return math.copysign(math.inf, number)


@op("linspace", traits=Trait.COUNTS_UP | Trait.CONTINUOUS | Trait.ROW_BY_ROW)
def linspace(call: Call, start: Value, end: Value, steps: Value = None, dtype: Value = None) -> Result:
    """``steps`` evenly spaced numbers (numpy and Keras: 50 unless given; TensorFlow: of the limits' type)."""
    count = size(50 if steps is None else steps, "steps")
    default: DType | Unknown = _float(call) if call.framework != "tensorflow" else _between(call, start, end)
    if call.framework == "keras" and (isinstance(start, TensorType) or isinstance(end, TensorType)):
        default = Unknown("backend", "limits")
    dtype = _typed(dtype, default)
    if call.framework == "torch":  # the ends are numbers
        return TensorType((count,), dtype)
    ends = broadcast_operands(call, start, end)
    return TensorType(ends if isinstance(ends, Unknown) else (count, *ends), dtype)


def _between(call: Call, start: Value, end: Value) -> DType | Unknown:
    """The type of numbers between two limits in TensorFlow: that of a tensor; whole numbers become float64."""
    given = [as_tensor(call, limit).dtype for limit in (start, end)]
    found = given[0]
    if found != given[1] or not isinstance(found, DType):
        return Unknown("no-argument", "start")
    if found.kind != "int":
        return found
    return FLOAT64 if found.bits >= INT32.bits else Unknown("no-argument", "start")


op("logspace", traits=Trait.FILLS | Trait.CONTINUOUS | Trait.ROW_BY_ROW)(linspace)


@op("eye", traits=Trait.FILLS | Trait.ONE_HOT | Trait.NON_NEGATIVE | Trait.ROW_BY_ROW)
def eye(call: Call, n: Value, m: Value = None, dtype: Value = None) -> Result:
    """A matrix with ones on the diagonal."""
    if call.framework != "keras":
        created_sizes(call, tuple(count for count in (n, m) if isinstance(count, int)))
    rows = size(n, "n")
    return TensorType((rows, rows if m is None else size(m, "m")), _typed(dtype, _float(call)))


@op("tensor", traits=Trait.KEEPS_PLACES | Trait.TAKES_DATA | Trait.GIVES_BACK | Trait.ROW_BY_ROW)
def tensor(call: Call, data: Value, dtype: Value = None, *, of_tensors: Value = False) -> Result:
    """A tensor with the given numbers, or a copy of a tensor or array; arrays keep their type. Where torch is given sequences
    ``of_tensors``, it takes each tensor for a number (2.13, run)."""
    if isinstance(data, TensorType):
        return TensorType(data.shape, _typed(dtype, data.dtype), elementwise_layout(data))
    if isinstance(data, Unknown):
        return TensorType(data, _typed(dtype, data))
    if call.framework == "torch" and (reason := refused_data(data)):
        call.fault(faults.ARGUMENT, operand="data", detail=reason)
    found = literal_dtype(call.framework, data)
    if of_tensors is True:
        data = _numbers(call, data)
    if call.framework == "tensorflow" and _may_be_shortened(data):
        found = Unknown("no-argument", "numbers of numpy")
    return TensorType(literal_shape(data), _typed(dtype, found))


op("array", traits=Trait.KEEPS_PLACES | Trait.TAKES_DATA | Trait.GIVES_BACK)(tensor)


def _numbers(call: Call, data: Value) -> Value:
    """Nested tuples with a scalar in the place of each tensor, which must have one element."""
    if isinstance(data, tuple):
        return tuple(_numbers(call, part) for part in data)
    if not isinstance(data, TensorType):
        return data
    shape = known_shape(data)
    if shape is not None and not call.faults and any(type(size) is int and size != 1 for size in shape):
        detail = f"each tensor in the list is taken for one number, but one has shape {show_shape(shape)}"
        call.fault(faults.OPERATOR_SHAPE, operand="data", shapes=(shape,), detail=detail, advice="join them by torch.stack")
    return data.with_shape(())


def _may_be_shortened(data: Value) -> bool:
    """Whether a list has numbers of 64 bits that may be numpy's, of which TensorFlow makes shorter ones."""
    parts = data if isinstance(data, tuple) else ()
    return any(isinstance(part, TensorType) and part.rank == 0 and part.dtype in (INT64, FLOAT64) for part in parts)


@op("from_numpy", traits=Trait.KEEPS_PLACES | Trait.TAKES_DATA | Trait.VIEW)
def from_numpy(call: Call, x: TensorType) -> Result:
    """A tensor that shares an array's memory and type."""
    return TensorType(x.shape, x.dtype, x.strides)


@op("as_array", traits=Trait.KEEPS_PLACES | Trait.TAKES_DATA | Trait.VIEW | Trait.GIVES_BACK)
def as_array(call: Call, x: TensorType) -> Result:
    """An array over the memory of a tensor, which has to be of a type that numpy has."""
    if x.dtype == BFLOAT16:
        call.fault(faults.DTYPE, operand="x", expected=FLOAT32, actual=x.dtype, detail="numpy has no such type")
    return TensorType(x.shape, x.dtype, x.strides)


@op("bernoulli", traits=Trait.KEEPS_SHAPE | Trait.NON_NEGATIVE | Trait.NO_GRADIENT | Trait.DRAWS_TRUTH)
def bernoulli(call: Call, x: TensorType, p: Value = None) -> Result:
    """0 or 1 for each probability in ``x``."""
    return TensorType(x.shape, x.dtype)


@op("multinomial", traits=Trait.PICKS_LARGE | Trait.POSITIONS | Trait.DRAWS)
def multinomial(call: Call, x: TensorType, num_samples: Value, replacement: Value = False) -> Result:
    """``num_samples`` column indices for each row of weights."""
    shape = known_shape(x)
    if shape is None or not call.rank(x, 1, 2):
        return TensorType(Unknown("rank", "multinomial"), INT64)
    return TensorType((*shape[:-1], size(num_samples, "num_samples")), INT64)


def window(call: Call, n: Value, dtype: Value = None) -> Result:
    """A window function of ``n`` samples."""
    return TensorType((size(n, "window_length"),), _typed(dtype, _float(call)))


for _name in ("hann_window", "hamming_window", "blackman_window", "bartlett_window", "kaiser_window"):
    op(_name)(window)
