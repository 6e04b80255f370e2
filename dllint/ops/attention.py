"""Attention: torch's and Keras's multi-head layers and scaled dot products."""

from __future__ import annotations

from collections.abc import Mapping

from dllint.domains.dim import Dim, differs, mul, opaque, show
from dllint.domains.dtype import FLOAT32, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType, broadcast
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.promotion import by_backend, has_no_elements, promote
from dllint.ops.sizes import is_dim, size
from dllint.ops.spec import Call, Flag, Result, known_shape, op, weights
from dllint.ops.traits import Trait
from dllint.ops.window import layer_dtype


@op("scaled_dot_product_attention", traits=Trait.CONTRACTS | Trait.ATTENDS | Trait.OWN_ORDER | Trait.AUTOCAST_LOWER)
def scaled_dot_product_attention(
    call: Call,
    query: TensorType,
    key: TensorType,
    value: TensorType,
    *,
    attn_mask: Value = None,
    enable_gqa: Value = False,
) -> Result:
    """(…, L, E), (…, S, E), (…, S, V) to (…, L, V); the leading axes broadcast."""
    q, k, v = known_shape(query), known_shape(key), known_shape(value)
    if q is None or k is None or v is None:
        return TensorType(Unknown("no-argument", "rank"), query.dtype)
    for name, shape in (("query", q), ("key", k), ("value", v)):
        if len(shape) < 2:
            call.fault(faults.RANK, operand=name, expected=(2, 3, 4), actual=len(shape), shapes=(shape,))
            return TensorType(Unknown("fault", "rank"), query.dtype)
    if call.framework == "torch" and any(map(has_no_elements, (query, key, value))):
        fits = q[:-2] == k[:-2] == v[:-2] and q[-1] == k[-1] and k[-2] == v[-2]
        if not all(isinstance(x.dtype, DType) and x.dtype.kind == "float" for x in (query, key, value)):
            query = query.with_dtype(Unknown("empty", "type of no elements"))
        return query.with_shape((*q[:-1], v[-1]) if fits else Unknown("empty", "attention to no elements"))
    check_axis(call, "key", q, k, -1, -1, "the query has {0} features, the key {1}")
    check_axis(call, "value", k, v, -2, -2, "the key has {0} positions, the value {1}")
    if enable_gqa is not False:
        return query.with_shape((*q[:-1], v[-1]))
    lead, conflict = broadcast((q[:-2], k[:-2], v[:-2]))
    if conflict is not None:
        detail = f"the leading axes of query, key and value do not broadcast ({show(conflict.left)} and {show(conflict.right)})"
        call.fault(
            faults.OPERATOR_SHAPE, operand="key", expected=conflict.left, actual=conflict.right, shapes=(q, k, v), detail=detail
        )
    _check_mask(call, attn_mask, (*lead, q[-2], k[-2]))
    return query.with_shape((*lead, q[-2], v[-1]))


def check_axis(call: Call, operand: str, a: Shape, b: Shape, i: int, j: int, text: str) -> None:
    """Record that axis ``i`` of ``a`` and axis ``j`` of ``b`` provably differ; ``text`` takes both sizes."""
    if differs(a[i], b[j]):
        call.fault(
            faults.OPERATOR_SHAPE,
            operand=operand,
            axis=j % len(b),
            expected=a[i],
            actual=b[j],
            shapes=(a, b),
            detail=text.format(show(a[i]), show(b[j])),
        )


def _check_mask(call: Call, mask: Value, scores: Shape) -> None:
    """A mask must broadcast to the scores."""
    shape = known_shape(mask)
    if shape is None:
        return
    _, conflict = broadcast((scores, shape))
    if conflict is not None:
        detail = f"the mask does not broadcast to the scores ({show(conflict.right)} and {show(conflict.left)})"
        call.fault(
            faults.OPERATOR_SHAPE,
            operand="attn_mask",
            expected=conflict.left,
            actual=conflict.right,
            shapes=(shape, scores),
            detail=detail,
        )


@op(
    "multihead_attention",
    traits=Trait.LEARNED | Trait.RETURNS_STATE | Trait.ATTENDS | Trait.OWN_ORDER | Trait.AUTOCAST_LOWER,
    various=True,
)
def multihead_attention(
    call: Call,
    query: TensorType,
    key: TensorType,
    value: TensorType,
    *,
    embed_dim: Value = None,
    num_heads: Value = None,
    kdim: Value = None,
    vdim: Value = None,
    batch_first: Flag = False,
    need_weights: Flag = True,
    average_attn_weights: Value = True,
    add_bias_kv: Value = False,
    add_zero_attn: Value = False,
    weight_dtype: Value = None,
) -> Result:
    """torch.nn.MultiheadAttention: ``(output, weights)``; (L, N, E), (N, L, E) with ``batch_first``, or (L, E)."""
    dtype = layer_dtype(call, query, weight_dtype, "query")
    q, k, v = known_shape(query), known_shape(key), known_shape(value)
    if q is None or not call.rank(query, 2, 3, operand="query") or isinstance(batch_first, Unknown):
        free = TensorType(Unknown("no-argument", "rank"), dtype)
        return (free, _optional(free, need_weights))
    _check_width(call, q, embed_dim, "query", "embed_dim")
    _check_width(call, k, kdim if is_dim(kdim) else embed_dim, "key", "kdim")
    _check_width(call, v, vdim if is_dim(vdim) else embed_dim, "value", "vdim")
    for name, type_, shape in (("key", key, k), ("value", value, v)):
        if shape is not None and len(shape) != len(q):
            call.rank(type_, len(q), operand=name)
            k = None
    time, batch = (1, 0) if batch_first and len(q) == 3 else (0, 1)
    if k is not None:
        _check_lengths(call, q, k, v, time, batch)
    out = TensorType((*q[:-1], size(embed_dim, "embed_dim", 1)), dtype)
    scores = _score_shape(q, k, time, batch, None if average_attn_weights is True else num_heads)
    if add_bias_kv is not False or add_zero_attn is not False:  # both attend to positions of their own
        scores = Unknown("no-argument", "positions of the layer's own")
    return (out, _optional(TensorType(scores, dtype), need_weights))


def _check_width(call: Call, shape: Shape | None, expected: Value, tensor: str, operand: str) -> None:
    if shape and is_dim(expected) and differs(shape[-1], expected):
        detail = f"the {tensor} has {show(shape[-1])} features, the layer was built for {show(expected)}"
        call.fault(
            faults.FEATURE_SIZE,
            operand=operand,
            axis=len(shape) - 1,
            expected=expected,
            actual=shape[-1],
            shapes=(shape,),
            detail=detail,
        )


def _check_lengths(call: Call, q: Shape, k: Shape, v: Shape | None, time: int, batch: int) -> None:
    if len(q) == 3 and k[time] != 0:  # to no positions, any batch attends
        check_axis(call, "key", q, k, batch, batch, "the query has a batch of {0}, the key of {1}")
    if v is not None and len(v) == len(k):
        check_axis(call, "value", k, v, time, time, "the key has {0} positions, the value {1}")


def _score_shape(q: Shape, k: Shape | None, time: int, batch: int, heads: Value) -> Shape | Unknown:
    """(batch, target, source), with an axis of heads if the weights are not averaged."""
    if isinstance(heads, Unknown):
        return heads
    source = opaque("source", 1) if k is None else k[time]
    lead = (q[batch],) if len(q) == 3 else ()
    return (*lead, *(() if heads is None else (size(heads, "num_heads", 1),)), q[time], source)


def _optional(weights_type: TensorType, wanted: Value) -> Value:
    if isinstance(wanted, Unknown):
        return wanted
    return weights_type if wanted else None


@op("keras_attention", traits=Trait.LEARNED | Trait.ATTENDS, various=True)
def keras_attention(
    call: Call,
    query: TensorType,
    value: TensorType,
    *,
    key: Value = None,
    num_heads: Value = None,
    output_shape: Value = None,
    attention_axes: Value = None,
    return_attention_scores: Flag = False,
) -> Result:
    """keras.layers.MultiHeadAttention and GroupQueryAttention: the query's shape, its last axis replaced by
    ``output_shape`` if given; (batch, heads, target, source) scores behind it if asked for."""
    q, v = known_shape(query), known_shape(value)
    k = known_shape(key) if isinstance(key, TensorType) else v
    dtype = layer_dtype(call, query, None)
    if q is None or isinstance(return_attention_scores, Unknown) or isinstance(output_shape, Unknown):
        return (
            TensorType(Unknown("no-argument", "query"), dtype) if return_attention_scores is False else Unknown("no-argument")
        )
    if v is not None and k is not None and len(v) == len(k):
        for axis in range(1, len(v) - 1):
            check_axis(call, "key", v, k, axis, axis, "the value has {0} positions, the key {1}")
    tail = output_shape if isinstance(output_shape, tuple) else (output_shape,) if is_dim(output_shape) else q[-1:]
    out = TensorType((*q[:-1], *(size(t, "output_shape", 1) for t in tail)), dtype)
    if not return_attention_scores:
        return out
    if attention_axes is not None or k is None or len(q) != 3 or len(k) != 3:
        return (out, TensorType(Unknown("no-argument", "attention_axes"), dtype))
    return (out, TensorType((q[0], size(num_heads, "num_heads", 1), q[1], k[1]), dtype))


@op("dot_attention", traits=Trait.ATTENDS, various=True)
def dot_attention(call: Call, x: Value, *, return_attention_scores: Flag = False) -> Result:
    """keras.layers.Attention and AdditiveAttention on ``[query, value]`` or ``[query, value, key]``."""
    if not isinstance(x, tuple) or len(x) not in (2, 3) or isinstance(return_attention_scores, Unknown):
        return Unknown("no-argument", "x")
    query, value, key = x[0], x[1], x[-1]
    if not isinstance(query, TensorType):
        return Unknown("no-argument", "query")
    q, v, k = known_shape(query), known_shape(value), known_shape(key)
    if q is None or v is None or k is None or min(len(q), len(v), len(k)) < 2:
        return Unknown("no-argument", "rank")
    check_axis(call, "x", q, k, -1, -1, "the query has {0} features, the key {1}")
    check_axis(call, "x", k, v, -2, -2, "the key has {0} positions, the value {1}")
    dtype = layer_dtype(call, query, None)
    out = TensorType((*q[:-1], v[-1]), dtype)
    return (out, TensorType((*q[:-1], k[-2]), dtype)) if return_attention_scores else out


@weights("multihead_attention")
def multihead_attention_weights(
    *, embed_dim: Value = None, kdim: Value = None, vdim: Value = None, bias: Value = True, **_: Value
) -> Mapping[str, TensorType]:
    """``in_proj_weight`` (or ``q_``, ``k_``, ``v_proj_weight`` if key or value differ) and ``in_proj_bias``."""
    width: Dim = size(embed_dim, "embed_dim", 1)
    key, value = (width if d is None else size(d, "kdim", 1) for d in (kdim, vdim))
    if key == width and value == width:
        shapes: dict[str, Shape] = {"in_proj_weight": (mul(width, 3), width)}
    else:
        shapes = {"q_proj_weight": (width, width), "k_proj_weight": (width, key), "v_proj_weight": (width, value)}
    if bias is True:
        shapes["in_proj_bias"] = (mul(width, 3),)
    return {name: TensorType(shape, FLOAT32) for name, shape in shapes.items()}


@op("dot_product_attention", traits=Trait.ATTENDS)
def dot_product_attention(call: Call, query: TensorType, key: TensorType, value: TensorType) -> Result:
    """(batch, target, heads, feature) attending to (batch, source, heads, feature) (keras.ops.dot_product_attention)."""
    q, k, v = known_shape(query), known_shape(key), known_shape(value)
    query = query.with_dtype(_common_float(call, query, key, value))
    if q is None or k is None or v is None:
        return TensorType(Unknown("no-argument", "rank"), query.dtype)
    for name, type_ in (("query", query), ("key", key), ("value", value)):
        if not call.rank(type_, 4, operand=name):
            return TensorType(Unknown("fault", "rank"), query.dtype)
    if not any(map(has_no_elements, (query, key, value))):
        check_axis(call, "key", q, k, -1, -1, "the query has {0} features, the key {1}")
        if 1 not in (k[1], v[1]):  # some backends repeat a single position
            check_axis(call, "value", k, v, 1, 1, "the key has {0} positions, the value {1}")
    batch, heads = (q[axis] if q[axis] == k[axis] == v[axis] else opaque("repeated") for axis in (0, 2))
    return query.with_shape((batch, q[1], heads, v[-1]))


def _common_float(call: Call, *tensors: TensorType) -> DType | Unknown:
    """The type of operands of floating-point types."""
    found = by_backend(call, promote(call, *tensors))
    return found if isinstance(found, Unknown) or found.kind == "float" else Unknown("backend", "whole numbers")
