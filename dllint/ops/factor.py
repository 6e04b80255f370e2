"""Linear algebra on the last two axes: solving, determinants, decompositions, products with vectors."""

from __future__ import annotations

from dllint.domains.dim import minimum
from dllint.domains.dtype import FLOAT64, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType, broadcast
from dllint.ir.values import Value
from dllint.ops.matmul import inner, product_dtype
from dllint.ops.operand import as_tensor
from dllint.ops.promotion import real_type
from dllint.ops.spec import Call, Flag, Result, known_shape, op
from dllint.ops.spectral import complex_type
from dllint.ops.traits import Trait


@op("solve", traits=Trait.OWN_ORDER)
def solve(call: Call, x: TensorType, y: TensorType, left: Flag = True) -> Result:
    """The solution of ``x @ out = y``, or without ``left`` of ``out @ x = y``: of the right-hand side's shape, once for each
    matrix of a batch."""
    matrix, right = as_tensor(call, x), as_tensor(call, y)
    a, b = known_shape(matrix), known_shape(right)
    if a is None and b is not None and len(b) > 1:
        return right.with_shape(Unknown("unknown-rank", "solve"))
    if a is None or b is None or len(a) < 2 or len(b) < 2 or (call.framework == "torch" and b == a[:-1]):
        return right
    if not isinstance(left, bool):
        return right
    inner(call, a, b, -2, -2 if left else -1)
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
def svd(call: Call, x: TensorType, full_matrices: Flag = False, compute_uv: Flag = True, order: Value = None) -> Result:
    """Singular values, and the left and right vectors as columns: TensorFlow tells the values first. By the ``order``
    ``"rows"`` they are told between the vectors, the right ones as rows (numpy, ``torch.linalg``), by ``"columns"`` all as
    columns (``torch.svd``)."""
    shape = known_shape(x)
    if shape is None or len(shape) < 2 or isinstance(full_matrices, Unknown) or isinstance(compute_uv, Unknown):
        return Unknown("no-argument", "svd")
    x = x.with_dtype(_decomposed(call, x.dtype))
    rows, columns = shape[-2:]
    rank = minimum(rows, columns)
    values = TensorType((*shape[:-2], rank), real_type(x.dtype))
    if not compute_uv:
        return values
    left, right = (rows, columns) if full_matrices else (rank, rank)
    vectors, more = x.with_shape((*shape[:-1], left)), x.with_shape((*shape[:-2], columns, right))
    if order is None:
        return values, vectors, more
    return vectors, values, x.with_shape((*shape[:-2], right, columns)) if order == "rows" else more


@op("qr", traits=Trait.OWN_ORDER, various=True)
def qr(call: Call, x: TensorType, mode: Value = "reduced", full_matrices: Flag = False) -> Result:
    """A matrix with columns of length 1 that are at right angles, and a triangular one."""
    shape = known_shape(x)
    if shape is None or len(shape) < 2 or mode not in ("reduced", "complete") or isinstance(full_matrices, Unknown):
        return Unknown("no-argument", "qr")
    x = x.with_dtype(_decomposed(call, x.dtype))
    rows, columns = shape[-2:]
    inner_size = rows if full_matrices or mode == "complete" else minimum(rows, columns)
    return x.with_shape((*shape[:-1], inner_size)), x.with_shape((*shape[:-2], inner_size, columns))


@op("eigh", traits=Trait.OWN_ORDER, various=True)
def eigh(call: Call, x: TensorType, compute_vectors: Flag = True) -> Result:
    """The eigenvalues of symmetric matrices, which are real, and the vectors as columns."""
    shape = known_shape(x)
    if shape is None or len(shape) < 2 or isinstance(compute_vectors, Unknown):
        return Unknown("no-argument", "eigh")
    x = x.with_dtype(_decomposed(call, x.dtype))
    values = TensorType(shape[:-1], _magnitudes(call, x.dtype))
    return (values, x) if compute_vectors else values


@op("eig", traits=Trait.OWN_ORDER, various=True)
def eig(call: Call, x: TensorType, compute_vectors: Flag = True) -> Result:
    """The eigenvalues of any square matrices, and the vectors as columns: complex numbers, with numpy only if there is need."""
    shape = known_shape(x)
    if shape is None or len(shape) < 2 or isinstance(compute_vectors, Unknown):
        return Unknown("no-argument", "eig")
    dtype = complex_type(call, x.dtype) if call.framework != "numpy" else Unknown("no-promotion", "eig")
    values = TensorType(shape[:-1], dtype)
    return (values, TensorType(shape, dtype)) if compute_vectors else values


@op("pinv", traits=Trait.OWN_ORDER)
def pinv(call: Call, x: TensorType) -> Result:
    """The pseudo-inverses of matrices: rows and columns are exchanged."""
    shape = known_shape(x)
    x = x.with_dtype(_decomposed(call, x.dtype))
    if shape is None or len(shape) < 2:
        return x.with_shape(Unknown("unknown-rank", "pinv"))
    return x.with_shape((*shape[:-2], shape[-1], shape[-2]))


@op("slogdet", various=True)
def slogdet(call: Call, x: TensorType) -> Result:
    """The signs of determinants, and the logarithms of their magnitudes."""
    shape, dtype = known_shape(x), _decomposed(call, x.dtype)
    if shape is None or len(shape) < 2:
        return Unknown("no-argument", "slogdet")
    return TensorType(shape[:-2], dtype), TensorType(shape[:-2], _magnitudes(call, dtype))


def _magnitudes(call: Call, dtype: DType | Unknown) -> DType | Unknown:
    """The type of real numbers beside complex ones; TensorFlow tells these as complex numbers, too."""
    return dtype if call.framework == "tensorflow" else real_type(dtype)


def _decomposed(call: Call, dtype: DType | Unknown) -> DType | Unknown:
    """The type of what matrices are taken apart into: numpy turns whole numbers into those of double precision."""
    return FLOAT64 if call.framework == "numpy" and isinstance(dtype, DType) and dtype.kind in ("bool", "int") else dtype


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


@op("cross")
def cross(call: Call, x: TensorType, y: TensorType, dim: Value = -1) -> Result:
    """The vector products of vectors of three numbers along an axis; the other axes are broadcast."""
    a, b = known_shape(x), known_shape(y)
    dtype = x.dtype if x.dtype == y.dtype else Unknown("no-promotion", "cross")
    if a is None or b is None:
        return TensorType(Unknown("unknown-rank", "cross"), dtype)
    shape, conflict = broadcast((a, b))
    return TensorType(Unknown("conflict", "cross") if conflict is not None else shape, dtype)


@op("covariance", traits=Trait.OWN_ORDER)
def covariance(call: Call, x: TensorType) -> Result:
    """How each two rows of a matrix vary together: a square matrix, or one number of a vector."""
    shape = known_shape(x)
    dtype = x.dtype if isinstance(x.dtype, DType) and x.dtype.kind == "float" else Unknown("no-promotion", "covariance")
    if shape is None or len(shape) > 2:
        return TensorType(Unknown("unknown-rank", "covariance"), dtype)
    return TensorType((shape[0], shape[0]) if len(shape) == 2 else (), dtype)
