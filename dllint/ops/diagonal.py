"""Triangles, diagonals and one-hot rows."""

from __future__ import annotations

from dllint.domains.dim import Dim, add, bounds, differs, maximum, minimum, mul, opaque, show
from dllint.domains.dtype import FLOAT32, INT64, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.operand import as_tensor, read_dtype
from dllint.ops.promotion import refuse, widened
from dllint.ops.sizes import is_dim
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait


def triangle(call: Call, x: TensorType, diagonal: Value = 0) -> Result:
    """The lower or upper triangle of matrices (numpy: a vector becomes a matrix)."""
    given = as_tensor(call, x)
    if given.rank is not None and given.rank < 2:
        if call.framework == "numpy" and given.rank == 1:
            return given.with_shape((known_shape(given) or ()) * 2)
        call.rank(given, 2, 3, 4)
    return given.with_shape(given.shape)


for _name in ("tril", "triu"):
    op(_name, traits=Trait.KEEPS_SIGN)(triangle)


def _length(rows: Dim, columns: Dim, offset: Value) -> Dim:
    """The length of a matrix's diagonal; positive offsets move it to the right."""
    if not isinstance(offset, int):
        return opaque("diagonal")
    rows, columns = (add(rows, offset), columns) if offset < 0 else (rows, add(columns, -offset))
    return maximum(minimum(rows, columns), 0)


@op("diag", traits=Trait.KEEPS_SIGN | Trait.NUMPY_VIEW)
def diag(call: Call, x: TensorType, diagonal: Value = 0) -> Result:
    """The diagonal of a matrix, or the matrix with a vector on its diagonal."""
    given = as_tensor(call, x)
    shape = known_shape(given)
    if shape is None or not call.rank(given, 1, 2):
        return given.with_shape(Unknown("rank", "diag"))
    if len(shape) == 2:
        return given.with_shape((_length(shape[0], shape[1], diagonal),))
    size = add(shape[0], abs(diagonal)) if isinstance(diagonal, int) else opaque("diagonal")
    return given.with_shape((size, size))


@op("diagonal", traits=Trait.SELECTS | Trait.VIEW | Trait.TELLS_LAYOUT)
def diagonal(call: Call, x: TensorType, offset: Value = 0, dim1: Value = 0, dim2: Value = 1) -> Result:
    """The diagonals of the planes of two axes, which are replaced by a last axis."""
    given = as_tensor(call, x)
    first, second, shape = call.axis(dim1, given, "dim1"), call.axis(dim2, given, "dim2"), known_shape(given)
    unknown = TensorType(Unknown("no-argument", "diagonal"), given.dtype, Unknown("layout", "diagonal"))
    if shape is None or first is None or second is None:
        return unknown
    if first == second:
        call.fault(faults.OPERATOR_SHAPE, operand="dim2", axis=second, shapes=(shape,), detail="the two axes are the same")
        return unknown
    rest = tuple(n for axis, n in enumerate(shape) if axis not in (first, second))
    return TensorType((*rest, _length(shape[first], shape[second], offset)), given.dtype, Unknown("layout", "diagonal"))


@op("tensor_diag_part", traits=Trait.SELECTS)
def tensor_diag_part(call: Call, x: TensorType) -> Result:
    """The elements whose indices along the first half of the axes are those along the second half (TensorFlow)."""
    shape = known_shape(x)
    if shape is None:
        return x.with_shape(Unknown("no-argument", "rank"))
    half, odd = divmod(len(shape), 2)
    if odd:
        call.rank(x, 2, 4, 6)
        return x.with_shape(Unknown("fault", "rank"))
    for axis, (first, second) in enumerate(zip(shape[:half], shape[half:], strict=True)):
        if differs(first, second):
            detail = f"the halves of its shape differ: {show(first)} on axis {axis}, {show(second)} on axis {axis + half}"
            call.fault(faults.OPERATOR_SHAPE, operand="x", axis=axis + half, expected=first, actual=second,
                       shapes=(shape,), detail=detail)  # fmt: skip
            break
    return x.with_shape(shape[:half])


@op("diag_embed", traits=Trait.KEEPS_SIGN)
def diag_embed(call: Call, x: TensorType, offset: Value = 0, dim1: Value = -2, dim2: Value = -1) -> Result:
    """Matrices with the last axis of ``x`` on their diagonals."""
    shape = known_shape(x)
    if shape == ():
        call.rank(x, 1, 2, 3)
    if not shape or (dim1, dim2) != (-2, -1):
        return x.with_shape(Unknown("rank", "diag_embed"))
    size = add(shape[-1], abs(offset)) if isinstance(offset, int) else opaque("diagonal")
    return x.with_shape((*shape[:-1], size, size))


@op("trace", traits=Trait.KEEPS_SIGN | Trait.REDUCES | Trait.AUTOCAST_SINGLE_ON_CPU)
def trace(call: Call, x: TensorType) -> Result:
    """The sum of a matrix's diagonal (numpy and Keras: of the first two axes' planes, TensorFlow: of the last two axes')."""
    given = as_tensor(call, x)
    shape: Shape | Unknown = given.shape
    if call.framework == "torch":
        call.rank(given, 2)
        shape = ()
    elif not isinstance(shape, Unknown):
        shape = shape[:-2] if call.framework == "tensorflow" else shape[2:]
    return TensorType(shape, widened(call, given.dtype))


@op("one_hot", traits=Trait.ONE_HOT | Trait.NO_GRADIENT | Trait.ROW_BY_ROW)
def one_hot(call: Call, x: TensorType, num_classes: Value = -1, dim: Value = -1, dtype: Value = None) -> Result:
    """A new axis of ``num_classes`` with a one at each index. torch gives int64 and takes int64 only; without
    ``num_classes`` it counts up to the largest index. TensorFlow counts no axis from the end but the last one."""
    given, wanted = as_tensor(call, x), read_dtype(dtype)
    if call.framework == "torch" and isinstance(given.dtype, DType) and given.dtype != INT64:
        refuse(call, given, "x", INT64)
    default = INT64 if call.framework == "torch" else FLOAT32
    size = num_classes if is_dim(num_classes) and not _negative(num_classes) else opaque("classes", 1)
    axis, shape = call.axis(dim, given, extra=1), known_shape(given)
    if call.framework in ("keras", "tensorflow") and isinstance(dim, int) and dim < -1:
        axis = None
    found = Unknown("no-argument", "one_hot") if shape is None or axis is None else (*shape[:axis], size, *shape[axis:])
    return TensorType(found, default if wanted is None else wanted)


def _negative(size: Dim) -> bool:
    _, high = bounds(mul(size, 1))
    return high is not None and high < 0
