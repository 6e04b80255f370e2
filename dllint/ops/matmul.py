"""Matrix products in their forms: batched, of fixed ranks, dot products, outer products."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dllint.domains.dim import differs, mul, opaque, product
from dllint.domains.dtype import BFLOAT16, FLOAT32, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType, broadcast
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.binary import broadcast_operands
from dllint.ops.operand import as_tensor
from dllint.ops.promotion import by_backend, promote
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait

_SPARSE: Final = frozenset({BFLOAT16, FLOAT32})


def product_dtype(call: Call, x: TensorType, y: TensorType, reshaped: bool = False) -> DType | Unknown:
    """torch and TensorFlow multiply matrices of one type only, but for two that TensorFlow has a kernel of sparse matrices for,
    which takes no batches of matrices: operands that are ``reshaped`` to matrices have none. Keras and numpy promote."""
    single = reshaped or not any((t.rank or 2) > 2 for t in (x, y))
    if call.framework == "tensorflow" and {x.dtype, y.dtype} == _SPARSE and single:
        return FLOAT32
    if call.framework != "torch":
        return promote(call, x, y)
    if isinstance(x.dtype, DType) and isinstance(y.dtype, DType) and x.dtype != y.dtype:
        shapes = tuple(s for s in (known_shape(x), known_shape(y)) if s is not None)
        if any(0 in shape for shape in shapes):  # no kernel may be asked for
            return Unknown("empty", "type of no elements")
        call.fault(faults.DTYPE, operand="y", expected=x.dtype, actual=y.dtype, shapes=shapes)
    return x.dtype


def inner(call: Call, x: Shape, y: Shape, left: int, right: int) -> None:
    """Compare the sizes that a product sums over."""
    if differs(x[left], y[right]):
        call.fault(faults.MATMUL, operand="y", axis=right % len(y), expected=x[left], actual=y[right], shapes=(x, y))


def _operands(call: Call, x: Value, y: Value) -> tuple[TensorType, TensorType, Shape | None, Shape | None]:
    left, right = as_tensor(call, x), as_tensor(call, y)
    return left, right, known_shape(left), known_shape(right)


#: TensorFlow multiplies no vectors.
_LOWEST_RANK: Mapping[str, int] = {"tensorflow": 2}


def matmul(
    call: Call, x: Value, y: Value, transpose_a: Value = False, transpose_b: Value = False, one_rank: Value = False
) -> Result:
    """``x @ y``: vectors count as a row (left) or column (right), leading axes broadcast. TensorFlow can transpose first;
    before its release 1.14 both operands had ``one_rank``."""
    left, right = _transposed(as_tensor(call, x), transpose_a), _transposed(as_tensor(call, y), transpose_b)
    a, b = known_shape(left), known_shape(right)
    dtype = by_backend(call, product_dtype(call, left, right))
    if a is None or b is None:
        return TensorType(left.shape if a is None else right.shape, dtype)
    lowest = _LOWEST_RANK.get(call.framework, 1)
    for operand, shape in (("x", a), ("y", b)):
        if len(shape) < lowest:
            allowed = tuple(range(lowest, 5))
            call.fault(faults.RANK, operand=operand, expected=allowed, actual=len(shape), shapes=(shape,))
            return TensorType(Unknown("fault", "matmul"), dtype)
    if one_rank is True and len(a) != len(b):
        detail, advice = "this release of TensorFlow does not broadcast leading axes", "reshape the longer one to two axes"
        call.fault(faults.OPERATOR_SHAPE, operand="y", shapes=(a, b), detail=detail, advice=advice)
    inner(call, a, b, -1, -2 if len(b) > 1 else -1)
    batch, conflict = broadcast((a[:-2], b[:-2]))
    if conflict is not None:
        axis = conflict.axis - 2
        call.fault(faults.BROADCAST, operand="y", axis=axis, expected=conflict.left, actual=conflict.right, shapes=(a, b))
    strides = Unknown("layout", "matmul") if len(a) <= 2 < len(b) else None
    return TensorType((*batch, *a[-2:-1], *b[-1:] * (len(b) > 1)), dtype, strides)


op("matmul", traits=Trait.MATRIX_PRODUCT | Trait.GIVES_SCALARS | Trait.TELLS_LAYOUT | Trait.AUTOCAST_LOWER)(matmul)


def _transposed(x: TensorType, wanted: Value) -> TensorType:
    """``x`` with its last two axes exchanged if ``wanted``."""
    if wanted is False or wanted is None or isinstance(x.shape, Unknown) or len(x.shape) < 2:
        return x
    if wanted is not True:
        return x.with_shape(Unknown("no-argument", "transpose"))
    return x.with_shape((*x.shape[:-2], x.shape[-1], x.shape[-2]))


def _of_rank(call: Call, x: TensorType, rank: int, operand: str) -> Shape:
    """The shape of an operand that must have this rank; sizes nothing is known about if it has not, or may have not."""
    shape = known_shape(x)
    if shape is not None and call.rank(x, rank, operand=operand):
        return shape
    return tuple(opaque(operand) for _ in range(rank))


@op("mm", traits=Trait.MATRIX_PRODUCT | Trait.ROW_BY_ROW | Trait.AUTOCAST_LOWER)
def mm(call: Call, x: TensorType, y: TensorType) -> TensorType:
    """The product of two matrices."""
    a, b = _of_rank(call, x, 2, "x"), _of_rank(call, y, 2, "y")
    inner(call, a, b, 1, 0)
    return TensorType((a[0], b[1]), product_dtype(call, x, y))


@op("bmm", traits=Trait.MATRIX_PRODUCT | Trait.COUNTS_AXES | Trait.ROW_BY_ROW | Trait.AUTOCAST_LOWER)
def bmm(call: Call, x: TensorType, y: TensorType) -> TensorType:
    """The products of two batches of matrices."""
    a, b = _of_rank(call, x, 3, "x"), _of_rank(call, y, 3, "y")
    if differs(a[0], b[0]):
        detail = "the batch sizes on axis 0 differ"
        call.fault(faults.OPERATOR_SHAPE, operand="y", axis=0, expected=a[0], actual=b[0], shapes=(a, b), detail=detail)
    inner(call, a, b, 2, 1)
    return TensorType((a[0], a[1], b[2]), product_dtype(call, x, y))


@op("mv", traits=Trait.CONTRACTS | Trait.ROW_BY_ROW | Trait.AUTOCAST_LOWER)
def mv(call: Call, x: TensorType, y: TensorType) -> Result:
    """A matrix times a vector."""
    a, b = _of_rank(call, x, 2, "x"), _of_rank(call, y, 1, "y")
    inner(call, a, b, 1, 0)
    return TensorType(a[:1], product_dtype(call, x, y))


@op("dot", traits=Trait.CONTRACTS | Trait.ROW_BY_ROW | Trait.AUTOCAST_WIDEST_ON_CARD)
def dot(call: Call, x: TensorType, y: TensorType) -> Result:
    """The scalar product of two vectors (torch)."""
    inner(call, _of_rank(call, x, 1, "x"), _of_rank(call, y, 1, "y"), 0, 0)
    return TensorType((), product_dtype(call, x, y))


@op("np_dot", traits=Trait.GIVES_SCALARS)
def np_dot(call: Call, x: Value, y: Value) -> Result:
    """``numpy.dot``: the last axis of ``x`` with the last but one of ``y``; no axes broadcast."""
    left, right, a, b = _operands(call, x, y)
    dtype = by_backend(call, promote(call, left, right))
    if a is None or b is None:
        return TensorType(left.shape if a is None else right.shape, dtype)
    if not a or not b:
        return TensorType(a or b, dtype)
    at = max(len(b) - 2, 0)
    inner(call, a, b, -1, at)
    if call.framework == "keras" and len(b) > 2:  # the backends disagree
        return TensorType(Unknown("backend", "dot"), dtype)
    return TensorType((*a[:-1], *b[:at], *b[at + 1 :]), dtype)


@op("addmm", traits=Trait.AFFINE | Trait.AUTOCAST_LOWER)
def addmm(call: Call, x: Value, mat1: TensorType, mat2: TensorType, beta: Value = 1, alpha: Value = 1) -> Result:
    """``beta * x + alpha * (mat1 @ mat2)``."""
    return _onto(call, x, mm(call, mat1, mat2))


@op("baddbmm", traits=Trait.CONTRACTS | Trait.COUNTS_AXES | Trait.AUTOCAST_LOWER)
def baddbmm(call: Call, x: Value, batch1: TensorType, batch2: TensorType, beta: Value = 1, alpha: Value = 1) -> Result:
    """``beta * x + alpha * (batch1 @ batch2)`` for batches of matrices."""
    return _onto(call, x, bmm(call, batch1, batch2))


def _onto(call: Call, x: Value, found: TensorType) -> TensorType:
    broadcast_operands(call, found, x)
    return found


@op("outer", traits=Trait.ROW_BY_ROW)
def outer(call: Call, x: Value, y: Value) -> Result:
    """All products of two vectors (numpy and Keras flatten first)."""
    left, right, a, b = _operands(call, x, y)
    dtype = promote(call, left, right)
    if call.framework == "torch":
        a, b = _of_rank(call, left, 1, "x"), _of_rank(call, right, 1, "y")
    return TensorType(tuple(opaque("vector") if s is None else product(s) for s in (a, b)), dtype)


@op("kron", traits=Trait.OWN_ORDER)
def kron(call: Call, x: Value, y: Value) -> Result:
    """The Kronecker product: sizes multiply, the shorter shape is filled with 1 on the left."""
    left, right, a, b = _operands(call, x, y)
    dtype = promote(call, left.with_shape((1,)), right.with_shape((1,)))  # both get axes before
    if a is None or b is None:
        return TensorType(left.shape if a is None else right.shape, dtype)
    rank = max(len(a), len(b))
    wide = [(1,) * (rank - len(s)) + s for s in (a, b)]
    return TensorType(tuple(mul(m, n) for m, n in zip(*wide, strict=True)), dtype)


@op("tensordot", traits=Trait.CONTRACTS | Trait.OWN_ORDER | Trait.AUTOCAST_LOWER | Trait.AUTOCAST_WIDEST_ON_CARD)
def tensordot(call: Call, x: Value, y: Value, dims: Value = 2) -> Result:
    """Sums over pairs of axes: the last ``dims`` of ``x`` with the first of ``y``, or the listed ones."""
    left, right, a, b = _operands(call, x, y)
    dtype = by_backend(call, product_dtype(call, left, right, reshaped=True))
    pairs = None if a is None or b is None else _contracted(call, left, right, dims)
    if pairs is None or a is None or b is None:
        return TensorType(Unknown("no-argument", "dims"), dtype)
    for m, n in zip(*pairs, strict=True):
        if call.framework not in ("torch", "keras") or 1 not in (a[m], b[n]):  # torch sums over an axis of size 1 alone
            inner(call, a, b, m, n)
    kept = [size for axis, size in enumerate(a) if axis not in pairs[0]]
    return TensorType((*kept, *(size for axis, size in enumerate(b) if axis not in pairs[1])), dtype)


def _contracted(call: Call, x: TensorType, y: TensorType, dims: Value) -> tuple[tuple[int, ...], tuple[int, ...]] | None:
    ranks = (x.rank or 0, y.rank or 0)
    if isinstance(dims, int):
        if dims > min(ranks):
            call.fault(faults.AXIS_RANGE, operand="dims", expected=min(ranks), actual=dims, shapes=(known_shape(x) or (),))
            return None
        return tuple(range(ranks[0] - dims, ranks[0])), tuple(range(dims))
    if not isinstance(dims, tuple) or len(dims) != 2:
        return None
    lists = [d if isinstance(d, tuple) else (d,) for d in dims]
    found = [[call.axis(axis, t, "dims") for axis in listed] for listed, t in zip(lists, (x, y), strict=True)]
    left, right = (tuple(axis for axis in axes if axis is not None) for axes in found)
    if len(left) != len(lists[0]) or len(right) != len(lists[1]):
        return None
    if len(left) != len(right):
        detail = f"{len(left)} axes of the first operand are paired with {len(right)} of the second"
        call.fault(
            faults.OPERATOR_SHAPE, operand="dims", shapes=tuple(s for s in (known_shape(x), known_shape(y)) if s), detail=detail
        )
        return None
    return left, right


@op("cdist", traits=Trait.NON_NEGATIVE | Trait.OWN_ORDER | Trait.AUTOCAST_SINGLE)
def cdist(call: Call, x: TensorType, y: TensorType, p: Value = 2) -> Result:
    """Distances between the rows of ``x`` and the rows of ``y``."""
    dtype = product_dtype(call, x, y)
    a, b = known_shape(x), known_shape(y)
    if a is None or b is None:
        return TensorType(x.shape if a is None else y.shape, dtype)
    if not (call.rank(x, *range(2, 9)) and call.rank(y, *range(2, 9), operand="y")):
        return TensorType(Unknown("rank", "cdist"), dtype)
    inner(call, a, b, -1, -1)
    batch, conflict = broadcast((a[:-2], b[:-2]))
    if conflict is not None:
        axis = conflict.axis - 2
        call.fault(faults.BROADCAST, operand="y", axis=axis, expected=conflict.left, actual=conflict.right, shapes=(a, b))
    return TensorType((*batch, a[-2], b[-2]), dtype)


@op("batch_dot", traits=Trait.CONTRACTS | Trait.OWN_ORDER)
def batch_dot(call: Call, x: TensorType, y: TensorType, dim: Value = None, axes: Value = None) -> Result:
    """Keras's ``Dot``: products along one axis of each operand, sample by sample."""
    a, b = known_shape(x), known_shape(y)
    dtype = promote(call, x, y)
    wanted = dim if axes is None else axes
    pair = wanted if isinstance(wanted, tuple) else (wanted, wanted)
    if not a or not b or len(pair) != 2:
        return TensorType(Unknown("no-argument", "axes"), dtype)
    left, right = call.axis(pair[0], x, "axes"), call.axis(pair[1], y, "axes")
    if left is None or right is None:
        return TensorType(Unknown("no-argument", "axes"), dtype)
    inner(call, a, b, left, right)
    kept = (*a[:left], *a[left + 1 :], *(n for axis, n in enumerate(b) if axis not in (0, right)))
    return TensorType(kept if len(kept) > 1 else (*kept, 1), dtype)
