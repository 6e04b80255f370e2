"""torch's transformer layers."""

from __future__ import annotations

from dllint.domains.dim import differs, show
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.attention import check_axis
from dllint.ops.open_rank import through_last_axis
from dllint.ops.sizes import is_dim
from dllint.ops.spec import Call, Flag, Result, known_shape, op
from dllint.ops.traits import Trait
from dllint.ops.window import layer_dtype


@op("transformer_encoder_layer", traits=Trait.LEARNED)
def transformer_encoder_layer(
    call: Call,
    src: TensorType,
    *,
    d_model: Value = None,
    nhead: Value = None,
    batch_first: Flag = False,
    weight_dtype: Value = None,
) -> Result:
    """Self-attention and a feed-forward part: the shape of ``src``, (S, N, E) or (N, S, E) with ``batch_first``."""
    return encoded(call, src, d_model, weight_dtype, "src")


@op("transformer_encoder", traits=Trait.LEARNED)
def transformer_encoder(
    call: Call,
    src: TensorType,
    *,
    d_model: Value = None,
    num_layers: Value = None,
    batch_first: Flag = False,
    weight_dtype: Value = None,
) -> Result:
    """A stack of encoder layers; ``d_model`` is that of its layer."""
    return encoded(call, src, d_model, weight_dtype, "src")


@op("transformer_decoder_layer", traits=Trait.LEARNED)
def transformer_decoder_layer(
    call: Call,
    tgt: TensorType,
    memory: TensorType,
    *,
    d_model: Value = None,
    nhead: Value = None,
    batch_first: Flag = False,
    weight_dtype: Value = None,
) -> Result:
    """Self-attention on ``tgt``, attention to ``memory`` and a feed-forward part: the shape of ``tgt``."""
    return decoded(call, tgt, memory, d_model, batch_first, weight_dtype)


@op("transformer_decoder", traits=Trait.LEARNED)
def transformer_decoder(
    call: Call,
    tgt: TensorType,
    memory: TensorType,
    *,
    d_model: Value = None,
    num_layers: Value = None,
    batch_first: Flag = False,
    weight_dtype: Value = None,
) -> Result:
    """A stack of decoder layers; ``d_model`` is that of its layer."""
    return decoded(call, tgt, memory, d_model, batch_first, weight_dtype)


@op("transformer", traits=Trait.LEARNED)
def transformer(
    call: Call,
    src: TensorType,
    tgt: TensorType,
    *,
    d_model: Value = 512,
    nhead: Value = 8,
    batch_first: Flag = False,
    weight_dtype: Value = None,
) -> Result:
    """torch.nn.Transformer: the shape of ``tgt``."""
    layer_dtype(call, src, weight_dtype, "src")
    return decoded(call, tgt, src, d_model, batch_first, weight_dtype)


def encoded(call: Call, x: TensorType, d_model: Value, declared: Value, operand: str) -> TensorType:
    """The type of ``x``, its rank and last axis checked."""
    dtype = layer_dtype(call, x, declared, operand)
    shape = known_shape(x)
    if shape is None:
        return TensorType(through_last_axis(call, x, d_model if is_dim(d_model) else None, "d_model", None), dtype)
    if call.rank(x, 2, 3, operand=operand):
        _check_width(call, shape, d_model, operand)
    return TensorType(x.shape, dtype)


def decoded(call: Call, x: TensorType, memory: TensorType, d_model: Value, batch_first: Value, declared: Value) -> TensorType:
    """The type of the target ``x``; ``memory`` must have its rank, batch size and the width ``d_model``."""
    out = encoded(call, x, d_model, declared, "tgt")
    shape, source = known_shape(x), known_shape(memory)
    if not shape or not source:
        return out
    if len(shape) != len(source):
        call.rank(memory, len(shape), operand="memory")
        return out
    _check_width(call, source, d_model, "memory")
    if len(shape) == 3 and not isinstance(batch_first, Unknown) and source[1 if batch_first else 0] != 0:
        batch = 0 if batch_first else 1
        check_axis(call, "memory", shape, source, batch, batch, "the target has a batch of {0}, the source of {1}")
    return out


def _check_width(call: Call, shape: Shape, d_model: Value, tensor: str) -> None:
    if is_dim(d_model) and differs(shape[-1], d_model):
        detail = f"the last axis of {tensor} has {show(shape[-1])} features, the layer was built for {show(d_model)}"
        call.fault(
            faults.FEATURE_SIZE,
            operand="d_model",
            axis=len(shape) - 1,
            expected=d_model,
            actual=shape[-1],
            shapes=(shape,),
            detail=detail,
        )
