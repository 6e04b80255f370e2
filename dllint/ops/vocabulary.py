"""From text and categories to numbers."""

from __future__ import annotations

from dllint.domains.dim import opaque
from dllint.domains.dtype import FLOAT32, INT64, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.binary import broadcast_operands
from dllint.ops.sizes import is_dim, size
from dllint.ops.spec import Call, Flag, Result, known_shape, op


@op("text_vectors")
def text_vectors(call: Call, x: TensorType, *, output_mode: Value = "int", output_sequence_length: Value = None,
        max_tokens: Value = None,
                 pad_to_max_tokens: Value = False) -> Result:  # fmt: skip
    """Strings (batch,) or (batch, 1) to token ids (batch, length), or to one vector per string (the other modes)."""
    shape = known_shape(x)
    if shape is None or isinstance(output_mode, Unknown):
        return TensorType(Unknown("no-argument", "text_vectors"), Unknown("no-argument", "output_mode"))
    batch = shape[:1]
    if output_mode == "int":
        length = output_sequence_length if is_dim(output_sequence_length) else opaque("length")
        return TensorType((*batch, length), INT64)
    return TensorType(
        (*batch, max_tokens if is_dim(max_tokens) and pad_to_max_tokens is True else opaque("tokens", 1)), FLOAT32
    )


@op("category_encoding")
def category_encoding(call: Call, x: TensorType, *, num_tokens: Value = None, output_mode: Value = "multi_hot") -> Result:
    """Category indices to one-hot vectors (an axis more; a last axis of 1 is replaced) or to one vector per sample."""
    shape, width = known_shape(x), size(num_tokens, "num_tokens", 1)
    if shape is None or isinstance(output_mode, Unknown):
        return TensorType(Unknown("no-argument", "output_mode"), FLOAT32)
    if output_mode == "one_hot":
        return TensorType((*(shape[:-1] if shape and shape[-1] == 1 else shape), width), FLOAT32)
    return TensorType((*shape[:-1], width) if len(shape) > 1 else (*shape, width), FLOAT32)


@op("lookup")
def lookup(call: Call, x: TensorType, *, output_mode: Value = "int", tokens: Value = None) -> Result:
    """Each element replaced by its index (``"int"``), or by a vector over an unknown vocabulary."""
    if output_mode == "int":
        return x.with_dtype(INT64)
    return TensorType(Unknown("no-argument", "lookup"), FLOAT32)


@op("library_call")
def library_call(call: Call, x: Value = None, refused: Value = "", reason: Value = "", **_: Value) -> Result:
    """A call of a function that its arguments cannot be; ``refused`` is the parameter that is known to be wrong."""
    if isinstance(refused, str) and isinstance(reason, str) and refused:
        call.fault(faults.ARGUMENT, operand=refused, detail=reason)
    return TensorType(Unknown("unmodelled-call", "shape"), _OTHER)


@op("unknown_activation")
def unknown_activation(call: Call, x: TensorType) -> Result:
    """A function of the elements that is not known: the shape stays, and so do floating-point types."""
    return x.with_shape(x.shape) if isinstance(x.dtype, DType) and x.dtype.kind == "float" else x.with_dtype(_OTHER)


@op("assumed_activation")
def assumed_activation(call: Call, x: TensorType, *, function: Value = None) -> Result:
    """What ``function``, which is not known, makes of a tensor: something of that shape, to judge by its name. Nothing rests on
    that (:mod:`dllint.lower.roles`): shape and type are open."""
    reason = Unknown("unknown-callee", function.detail) if isinstance(function, Unknown) else _OTHER
    return TensorType(reason, reason)


@op("unknown_pairing")
def unknown_pairing(call: Call, x: Value, y: Value, is_float: Flag = False) -> Result:
    """A function of the elements of two tensors that is not known: they are broadcast to each other. One that gives
    floating-point numbers (``is_float``) keeps a floating-point type that both have."""
    types = {value.dtype if isinstance(value, TensorType) else _OTHER for value in (x, y)}
    found = types.pop()
    kept = is_float is True and not types and isinstance(found, DType) and found.kind == "float"
    return TensorType(broadcast_operands(call, x, y), found if kept else _OTHER)


_OTHER = Unknown("unmodelled-call", "element type")
