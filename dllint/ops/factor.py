"""Linear algebra on the last two axes: solving, determinants, singular values, products with vectors."""

from __future__ import annotations

from dllint.domains.dim import minimum
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType, broadcast
from dllint.ir.values import Value
from dllint.ops.matmul import inner, product_dtype
from dllint.ops.operand import as_tensor
from dllint.ops.promotion import real_type
from dllint.ops.spec import Call, Flag, Result, known_shape, op
from dllint.ops.traits import Trait


@op("solve", traits=Trait.OWN_ORDER)
def solve(call: Call, x: TensorType, y: TensorType) -> Result:
    """The solution of ``x @ out = y``: of the right-hand side's shape, once for each matrix of a batch."""
    matrix, right = as_tensor(call, x), as_tensor(call, y)
    a, b = known_shape(matrix), known_shape(right)
    if a is None and b is not None and len(b) > 1:
        return right.with_shape(Unknown("unknown-rank", "solve"))
    if a is None or b is None or len(a) < 2 or len(b) < 2 or (call.framework == "torch" and b == a[:-1]):
        return right
    inner(call, a, b, -2, -2)
    batch, conflict = broadcast((a[:-2], b[:-2]))
    return right if conflict is not None else right.with_shape((*batch, *b[-2:]))


@op("matrix_function")
def matrix_function(call: Call, x: TensorType, n: Value = None, upper: Value = False) -> Result:
    """A function of matrices, such as an inverse, a root or a power, whose results are matrices of the same size."""
    kept = isinstance(x.dtype, DType) and x.dtype.kind == "float"
    return x.with_shape(x.shape) if kept else x.with_dtype(Unknown("no-promotion", "matrix_function"))


@op("det")
def det(call: Call, x: TensorType, logarithm: Value = False) -> Result:
    """One number per matrix; a ``logarithm`` is a real one."""
    shape = known_shape(x)
    if logarithm is True:
        x = TensorType(x.shape, real_type(x.dtype))
    return x.with_shape(x.shape if shape is None else shape[:-2])


@op("svd", traits=Trait.OWN_ORDER, various=True)
def svd(call: Call, x: TensorType, full_matrices: Flag = False, compute_uv: Flag = True) -> Result:
    """Singular values, and the left and right vectors as columns (TensorFlow's order: values first)."""
    shape = known_shape(x)
    if shape is None or len(shape) < 2 or isinstance(full_matrices, Unknown) or isinstance(compute_uv, Unknown):
        return Unknown("no-argument", "svd")
    rows, columns = shape[-2:]
    rank = minimum(rows, columns)
    values = TensorType((*shape[:-2], rank), real_type(x.dtype))
    if not compute_uv:
        return values
    left, right = (rows, columns) if full_matrices else (rank, rank)
    return values, x.with_shape((*shape[:-1], left)), x.with_shape((*shape[:-2], columns, right))


@op("matvec", traits=Trait.CONTRACTS)
def matvec(call: Call, x: TensorType, y: TensorType, transpose_a: Value = False) -> Result:
    """Matrices times vectors, batches of them broadcast: the sum goes over the last axes of both."""
    matrix, vector = as_tensor(call, x), as_tensor(call, y)
    a, b, dtype = known_shape(matrix), known_shape(vector), product_dtype(call, matrix, vector)
    if a is None or b is None or len(a) < 2 or not b or not isinstance(transpose_a, bool):
        return TensorType(Unknown("no-argument", "matvec"), dtype)
    inner(call, a, b, -2 if transpose_a else -1, -1)
    batch, conflict = broadcast((a[:-2], b[:-1]))
    if conflict is not None:
        return TensorType(Unknown("conflict", "matvec"), dtype)
    return TensorType((*batch, a[-1] if transpose_a else a[-2]), dtype)
