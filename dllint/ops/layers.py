"""Requirements of layers by the operation that they perform: on their configuration alone, and on their first input."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from dllint.domains.shape import Shape
from dllint.ir.program import Framework
from dllint.ops.checks import (
    Check,
    Config,
    Divisible,
    at_least,
    dilated_stride,
    embedding_dim,
    entries,
    not_negative,
    one_of_size_and_scale,
    output_padding,
    padding_index,
    pool_padding,
    pooled_sizes,
    positive,
    probability,
    projection,
    same_padding,
    some_channels,
    some_output,
    some_units,
)
from dllint.ops.composed_counts import (
    attention_weights,
    cell,
    convolved_recurrence,
    decoder_layer,
    encoder_layer,
    recurrence,
    transformer,
)
from dllint.ops.demands import Demand, attention, batch_norm, fixed, images, pooled_to_size, sequence
from dllint.ops.weight_counts import (
    Count,
    affine_if_asked,
    bilinear,
    convolution,
    dense,
    depthwise,
    only_scaled,
    scaled,
    separable,
    slopes,
    table,
)


@dataclass(frozen=True, slots=True)
class Layer:
    """What is asked of the configuration and the input of an operation.

    ``whole``: canonical names of arguments that must be whole numbers, of which an argument may have several. A float among
    ``whole_at_call`` is refused by torch when the layer is called, not when it is built (2.13, run); with ``scaled``, they
    count only if the features are scaled. ``built``: what the library looks at when the layer is built, ``called``: what torch
    looks at when it is called only. ``demand``: what the input must be; None for operations that take any rank (embedding,
    linear, pixel_shuffle): a guess would not be proof. ``last_axis``: the argument that says the size of the input's last axis,
    whatever the rank is. ``window``: whether it has a window, so that the furthest one back takes
    the image. ``attributes``: those of a layer of torch with weights that are neither methods nor arguments of its constructor;
    () if they are not known. ``count``: how many trainable elements a layer has; None where that is not described.
    """

    whole: tuple[str, ...] = ()
    whole_at_call: tuple[str, ...] = ()
    scaled: bool = False
    built: tuple[Check, ...] = ()
    called: tuple[Check, ...] = ()
    demand: Callable[[Framework, Config], Demand | None] | None = None
    last_axis: str = ""
    window: bool = False
    attributes: tuple[str, ...] = ()
    count: Count | None = None


_CONVOLUTION: Final = (
    "in_channels", "out_channels", "kernel_size", "stride", "padding", "dilation", "groups", "output_padding",
    "depth_multiplier",
)  # fmt: skip
_MOVES: Final = ("stride", "padding", "dilation", "output_padding")
_POOL: Final = ("kernel_size", "stride", "padding", "dilation")
_TRANSFORMER: Final = ("d_model", "nhead", "dim_feedforward", "num_encoder_layers", "num_decoder_layers")
_CHANNELS: Final = (
    Divisible("in_channels", "groups"),
    Divisible("out_channels", "groups"),
    some_channels,
    at_least(0, "in_channels", "out_channels", "kernel_size"),
    at_least(1, "groups"),
)
_DEEP: Final = (*_CHANNELS, at_least(1, "depth_multiplier"), same_padding)
_CONV_CALLED: Final = (
    at_least(1, "kernel_size", "stride", "dilation"),
    at_least(0, "padding"),
    entries("kernel_size", "stride", "dilation", "padding"),
)
_POOL_CALLED: Final = (
    at_least(1, "kernel_size", "stride", "dilation"),
    entries("kernel_size", "stride", "dilation"),
    pool_padding,
)
_DEEP_CONVOLUTION: Final = Layer(_CONVOLUTION, built=_DEEP, called=_CONV_CALLED, demand=images("in_channels"), window=True)
_HEADS: Final = (Divisible("d_model", "nhead"),)
_POOLING: Final = Layer(_POOL, _POOL, called=_POOL_CALLED, demand=images(""), window=True)
_ADAPTIVE: Final = Layer(
    ("output_size",), ("output_size",), built=(some_output,), called=(pooled_sizes,), demand=pooled_to_size
)
_IMAGE: Final = Layer(demand=images(""))
_SHAPED: Final = Layer(("shape",))
_NOTHING: Final = Layer()
_WEIGHTS: Final = ("weight", "bias")
#: Operation → what is asked of it.
LAYERS: Final[Mapping[str, Layer]] = {
    "linear": Layer(
        ("in_features", "out_features"),
        built=(at_least(0, "in_features", "out_features"),),
        last_axis="in_features",
        attributes=_WEIGHTS,
        count=dense,
    ),
    "bilinear": Layer(("in_features", "in_features2", "out_features"), count=bilinear),
    "conv": Layer(
        _CONVOLUTION,
        _MOVES,
        built=(*_CHANNELS, same_padding, dilated_stride),
        called=_CONV_CALLED,
        demand=images("in_channels"),
        window=True,
        attributes=(*_WEIGHTS, "transposed", "output_padding"),
        count=convolution,
    ),
    "conv_transpose": Layer(
        _CONVOLUTION,
        _MOVES,
        built=(*_CHANNELS, dilated_stride),
        called=(*_CONV_CALLED, output_padding),
        demand=images("in_channels"),
        count=convolution,
    ),
    "depthwise_conv": replace(_DEEP_CONVOLUTION, count=depthwise),
    "separable_conv": replace(_DEEP_CONVOLUTION, count=separable),
    "max_pool": _POOLING,
    "avg_pool": _POOLING,
    "lp_pool": Layer(called=_POOL_CALLED, demand=images("")),
    "adaptive_avg_pool": _ADAPTIVE,
    "adaptive_max_pool": _ADAPTIVE,
    "global_avg_pool": _IMAGE,
    "global_max_pool": _IMAGE,
    "zero_pad": Layer(demand=images(""), window=True),
    "crop": _IMAGE,
    "batch_norm": Layer(
        ("num_features",),
        scaled=True,
        built=(at_least(0, "num_features"),),
        demand=batch_norm,
        attributes=(*_WEIGHTS, "running_mean", "running_var", "num_batches_tracked"),
        count=scaled("num_features", "affine"),
    ),
    "instance_norm": Layer(("num_features",), scaled=True, demand=images("num_features"), count=affine_if_asked),
    "group_norm": Layer(
        ("num_groups", "num_channels"),
        ("num_groups",),
        built=(Divisible("num_channels", "num_groups"), at_least(0, "num_channels")),
        attributes=_WEIGHTS,
        count=scaled("num_channels", "affine"),
    ),
    "layer_norm": Layer(
        ("normalized_shape",),
        last_axis="normalized_shape",
        attributes=_WEIGHTS,
        count=scaled("normalized_shape", "elementwise_affine"),
    ),
    "rms_norm": Layer(("normalized_shape",), last_axis="normalized_shape", count=only_scaled),
    "embedding": Layer(
        ("num_embeddings", "embedding_dim"),
        built=(embedding_dim, padding_index),
        attributes=("weight",),
        count=table,
    ),
    "embedding_bag": Layer(("num_embeddings", "embedding_dim"), count=table),
    "dropout": Layer(built=(probability("p"),)),
    "rnn": Layer(
        ("input_size", "hidden_size", "num_layers"),
        built=(at_least(1, "hidden_size", "num_layers"), at_least(0, "input_size"), probability("dropout"), projection),
        demand=sequence,
        count=recurrence,
    ),
    "conv_rnn": Layer(count=convolved_recurrence),
    "rnn_cell": Layer(
        ("input_size", "hidden_size", "num_layers"),
        built=(at_least(0, "hidden_size"), some_units),
        demand=fixed((2, 1), 1, "input_size", "B"),
        count=cell,
    ),
    "multihead_attention": Layer(
        ("embed_dim", "num_heads"),
        ("num_heads",),
        built=(at_least(1, "embed_dim", "num_heads"), Divisible("embed_dim", "num_heads")),
        demand=attention("embed_dim"),
        count=attention_weights,
    ),
    "keras_attention": Layer(
        ("num_heads", "key_dim", "value_dim"),
        built=(at_least(1, "num_heads", "key_dim", "value_dim"), Divisible("num_heads", "num_key_value_heads")),
    ),
    "transformer": Layer(_TRANSFORMER, ("nhead",), built=_HEADS, count=transformer),
    "transformer_encoder": Layer(demand=attention("d_model")),
    "transformer_encoder_layer": Layer(
        _TRANSFORMER, ("nhead",), built=_HEADS, demand=attention("d_model"), count=encoder_layer
    ),
    "transformer_decoder_layer": Layer(
        _TRANSFORMER, ("nhead",), built=_HEADS, demand=attention("d_model"), count=decoder_layer
    ),
    "repeat_vector": Layer(demand=fixed((2,), 1, "", "B")),
    "pixel_shuffle": Layer(("factor",), ("factor",), called=(at_least(1, "factor"),)),
    "pixel_unshuffle": Layer(("factor",), ("factor",)),
    "huber_loss": Layer(called=(positive("delta"),)),
    "softshrink": Layer(called=(not_negative("lambd"),)),
    "smooth_l1_loss": Layer(called=(not_negative("beta"),)),
    "interpolate": Layer(called=(one_of_size_and_scale,)),
    **dict.fromkeys(("prelu",), Layer(count=slopes)),
    **dict.fromkeys(("zeros", "ones", "empty", "full", "rand", "randn", "reshape", "view", "expand"), _SHAPED),
}


def layer(op: str) -> Layer:
    """What is asked of an operation; nothing of most of them."""
    return LAYERS.get(op, _NOTHING)


def demand(op: str, framework: Framework, config: Config) -> Demand | None:
    """What the operation demands of its first tensor with this configuration; ``None`` if it takes any rank."""
    find = layer(op).demand
    return None if find is None else find(framework, config)


def demanded_shape(op: str, framework: Framework, config: Config) -> Shape | None:
    """The shape an input of unknown rank gets when it flows into the operation, ``None`` if that does not determine it."""
    found = demand(op, framework, config)
    return None if found is None else found.shape(config)
