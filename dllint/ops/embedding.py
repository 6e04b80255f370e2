"""Embedding tables."""

from __future__ import annotations

from collections.abc import Mapping

from dllint.domains.dim import DimExpr, exceeds, opaque
from dllint.domains.dtype import FLOAT32, INT32, INT64, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import OpenShape, TensorType
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.sizes import given, is_dim, size
from dllint.ops.spec import Call, Result, known_shape, op, weights
from dllint.ops.traits import Trait


@op("embedding", traits=Trait.EMBEDS | Trait.ROW_BY_ROW)
def embedding(
    call: Call,
    x: TensorType,
    *,
    num_embeddings: Value = None,
    embedding_dim: Value = None,
    weight: Value = None,
    weight_dtype: Value = None,
    index_low: Value = None,
    index_high: Value = None,
) -> Result:
    """A row of the table for each index: adds an axis of ``embedding_dim``. ``index_low``/``index_high`` bound the
    indices where the source says so (inclusive)."""
    rows, width, dtype = _table(num_embeddings, embedding_dim, weight, weight_dtype)
    _check_indices(call, x)
    _check_range(call, x, rows, index_low, index_high)
    features = size(width, "embedding_dim", 1)
    if isinstance(x.shape, Unknown):
        return TensorType(OpenShape(x.shape.reason, x.shape.detail, features), dtype)
    return TensorType((*x.shape, features), dtype)


@op("embedding_bag", traits=Trait.EMBEDS)
def embedding_bag(
    call: Call,
    x: TensorType,
    *,
    num_embeddings: Value = None,
    embedding_dim: Value = None,
    weight: Value = None,
    offsets: Value = None,
    include_last_offset: Value = False,
    weight_dtype: Value = None,
    index_low: Value = None,
    index_high: Value = None,
) -> Result:
    """The reduced rows of each bag: (bags, ``embedding_dim``). Bags are the rows of ``x``, or start at ``offsets``."""
    indices = _indices(call, x, weight)
    if indices is not x:  # the bounds are those of the table
        x, weight, index_low, index_high = indices, x, None, None
    rows, width, dtype = _table(num_embeddings, embedding_dim, weight, weight_dtype)
    if not _takes_type_of(offsets, x):
        _check_indices(call, x)
    _check_range(call, x, rows, index_low, index_high)
    shape = known_shape(x)
    if shape is None or not call.rank(x, 1, 2):
        return TensorType(Unknown("no-argument", "rank"), dtype)
    starts = known_shape(offsets)
    bags = shape[0] if len(shape) == 2 else starts[0] if starts else opaque("bags")
    if len(shape) == 1 and include_last_offset is not False:
        bags = bags - 1 if include_last_offset is True else opaque("bags")
    return TensorType((bags, size(width, "embedding_dim", 1)), dtype)


def _takes_type_of(offsets: Value, x: TensorType) -> bool:
    """Whether smaller whole numbers are made those of the offsets, as torch does."""
    if not isinstance(offsets, TensorType) or not isinstance(x.dtype, DType) or x.dtype.kind not in ("int", "bool"):
        return isinstance(offsets, Unknown)
    return isinstance(offsets.dtype, Unknown) or offsets.dtype in (INT32, INT64)


def _indices(call: Call, x: TensorType, weight: Value) -> TensorType:
    """Which tensor has the indices: once they stood behind the table, and torch still exchanges them."""
    if call.framework != "torch" or not isinstance(weight, TensorType) or weight.dtype != INT64:
        return x
    return weight if isinstance(x.dtype, DType) and x.dtype.kind == "float" else x


def _table(rows: Value, width: Value, weight: Value, declared: Value) -> tuple[Value, Value, DType | Unknown]:
    if isinstance(weight, TensorType):
        shape = known_shape(weight)
        return (*shape, weight.dtype) if shape is not None and len(shape) == 2 else (None, None, weight.dtype)
    if given(weight):
        unknown = Unknown("no-argument", "weight")
        return unknown, unknown, unknown
    return rows, width, declared if isinstance(declared, (DType, Unknown)) else FLOAT32


def _check_indices(call: Call, x: TensorType) -> None:
    """torch takes int32 and int64 only; Keras casts."""
    if call.framework == "torch" and isinstance(x.dtype, DType) and x.dtype not in (INT32, INT64):
        call.fault(faults.DTYPE, operand="x", expected=INT64, actual=x.dtype)


def _check_range(call: Call, x: TensorType, rows: Value, low: Value, high: Value) -> None:
    shapes = () if isinstance(x.shape, Unknown) else (x.shape,)
    if isinstance(high, DimExpr) and is_dim(rows) and exceeds(high + 1, rows):
        call.fault(faults.INDEX_RANGE, operand="num_embeddings", expected=rows, actual=high, shapes=shapes)
    if not isinstance(rows, int):
        return
    if isinstance(high, (int, float)) and high >= rows:
        call.fault(faults.INDEX_RANGE, operand="num_embeddings", expected=rows, actual=int(high), shapes=shapes)
    elif isinstance(low, (int, float)) and low < 0 and call.framework != "keras":  # some backends count from the end
        call.fault(faults.INDEX_RANGE, operand="num_embeddings", expected=rows, actual=int(low), shapes=shapes)


@weights("embedding")
def embedding_weights(
    *, framework: str = "torch", num_embeddings: Value = None, embedding_dim: Value = None, **_: Value
) -> Mapping[str, TensorType]:
    """``weight`` (torch) or ``embeddings`` (Keras): (num_embeddings, embedding_dim)."""
    rows = num_embeddings if is_dim(num_embeddings) else opaque("num_embeddings", 1)
    table = TensorType((rows, size(embedding_dim, "embedding_dim", 1)), FLOAT32)
    return {"weight" if framework == "torch" else "embeddings": table}


weights("embedding_bag")(embedding_weights)
