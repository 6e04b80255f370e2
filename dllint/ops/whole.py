"""Arguments that must be whole numbers: the libraries refuse a float there, also one like 2.0."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from dllint.domains.lattice import UnknownFloat
from dllint.ir.program import Fault, Framework
from dllint.ir.values import Value
from dllint.ops import faults

_CONVOLUTION: Final = (
    "in_channels", "out_channels", "kernel_size", "stride", "padding", "dilation", "groups", "output_padding",
    "depth_multiplier",
)  # fmt: skip
_POOL: Final = ("kernel_size", "stride", "padding", "dilation")
_TRANSFORMER: Final = ("d_model", "nhead", "dim_feedforward", "num_encoder_layers", "num_decoder_layers")
#: Operation → canonical names of its whole numbers, of which an argument may have several.
WHOLE: Final[Mapping[str, tuple[str, ...]]] = {
    "linear": ("in_features", "out_features"),
    "bilinear": ("in_features", "in_features2", "out_features"),
    **dict.fromkeys(("conv", "conv_transpose", "depthwise_conv", "separable_conv"), _CONVOLUTION),
    **dict.fromkeys(("max_pool", "avg_pool"), _POOL),
    **dict.fromkeys(("adaptive_avg_pool", "adaptive_max_pool"), ("output_size",)),
    **dict.fromkeys(("batch_norm", "instance_norm"), ("num_features",)),
    "group_norm": ("num_groups", "num_channels"),
    **dict.fromkeys(("layer_norm", "rms_norm"), ("normalized_shape",)),
    **dict.fromkeys(("embedding", "embedding_bag"), ("num_embeddings", "embedding_dim")),
    **dict.fromkeys(("rnn", "rnn_cell"), ("input_size", "hidden_size", "num_layers")),
    "multihead_attention": ("embed_dim", "num_heads"),
    "keras_attention": ("num_heads", "key_dim", "value_dim"),
    **dict.fromkeys(("transformer_encoder_layer", "transformer_decoder_layer", "transformer"), _TRANSFORMER),
    **dict.fromkeys(("pixel_shuffle", "pixel_unshuffle"), ("factor",)),
    **dict.fromkeys(("zeros", "ones", "empty", "full", "rand", "randn", "reshape", "view", "expand"), ("shape",)),
}
#: Operation → those of them that torch looks at when the layer is called, not when it is built (2.13, run).
_LEFT_TO_CALL: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(("conv", "conv_transpose"), ("stride", "padding", "dilation", "output_padding")),
    **dict.fromkeys(("max_pool", "avg_pool"), _POOL),
    **dict.fromkeys(("adaptive_avg_pool", "adaptive_max_pool"), ("output_size",)),
    **dict.fromkeys(("pixel_shuffle", "pixel_unshuffle"), ("factor",)),
    "group_norm": ("num_groups",),
    "multihead_attention": ("num_heads",),
    **dict.fromkeys(("transformer_encoder_layer", "transformer_decoder_layer", "transformer"), ("nhead",)),
}
#: Operations with a shape.
_SHAPED: Final = frozenset(op for op, names in WHOLE.items() if names == ("shape",))
#: Operations whose features count only if they are scaled.
_SCALED: Final = frozenset({"batch_norm", "instance_norm"})
_NOT_WHOLE: Final = ", not a whole number"
#: What stands for no number: computed from an argument that may be an int all the same.
_PERHAPS: Final = ("parameter", "symbolic-arithmetic")


def not_whole(op: str, framework: Framework, config: Mapping[str, Value]) -> Iterator[Fault]:
    """The arguments of an operation that are floats in the place of whole numbers."""
    if op in _SCALED and config.get("affine") is not True:
        return
    for name in WHOLE.get(op, ()):
        value = config.get(name)
        several = isinstance(value, tuple)
        if not _is_refused(op, framework, name, several):
            continue
        for number in value if isinstance(value, tuple) else (value,):
            if is_float(number):
                yield _fault(name, number, "a size is a float" if several else "it is a float")
                break


def _is_refused(op: str, framework: Framework, name: str, several: bool) -> bool:
    """Whether a library refuses floats as an argument: torch always, numpy in shapes, Keras but in most tuples."""
    if framework == "keras":
        return op not in _SHAPED and (not several or (name == "kernel_size" and "conv" in op))
    return framework == "torch" or (framework == "numpy" and op in _SHAPED)


def is_left_to_call(op: str, framework: Framework, operand: str) -> bool:
    """Whether a layer is built with a float in the place of this whole number, and no call of it succeeds."""
    return framework == "torch" and operand in _LEFT_TO_CALL.get(op, ())


def is_float(value: Value) -> bool:
    """Whether a value is a float for certain."""
    if isinstance(value, UnknownFloat):
        return value.reason not in _PERHAPS or value.detail == "div"
    return isinstance(value, float)


def _fault(name: str, number: Value, what: str) -> Fault:
    known = number if isinstance(number, float) else None
    advice = "use // to divide, or convert it with int(…)"
    return Fault(faults.ARGUMENT, operand=name, actual=known, detail=f"{what}{_NOT_WHOLE}", advice=advice)


def is_of_float(fault: Fault) -> bool:
    """Whether a fault is that of a float in the place of a whole number."""
    return fault.detail.endswith(_NOT_WHOLE)
