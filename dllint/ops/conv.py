"""Convolutions: plain, depthwise and separable, in torch's and Keras's terms."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from dllint.domains.dim import Dim, differs, floordiv, mod, mul, opaque, show
from dllint.domains.dtype import FLOAT32
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType, show_shape
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.sizes import given, is_dim, size, sizes
from dllint.ops.spec import Call, Flag, Result, known_shape, known_shapes, op, weights
from dllint.ops.traits import Trait
from dllint.ops.window import Sliding, check_channels, is_channels_last, layer_dtype, place, unknown_output


@op("conv", traits=Trait.PLAIN_CONVOLUTION | Trait.LEARNED | Trait.COUNTS_AXES | Trait.AUTOCAST_LOWER)
def conv(
    call: Call,
    x: TensorType,
    *,
    in_channels: Value = None,
    out_channels: Value = None,
    kernel_size: Value = None,
    stride: Value = 1,
    padding: Value = 0,
    dilation: Value = 1,
    groups: Value = 1,
    spatial: Value = None,
    channels_last: Value = None,
    data_format: Value = None,
    weight: Value = None,
    weight_dtype: Value = None,
    bias: Value = None,
) -> Result:
    """Convolution over ``spatial`` axes (torch.nn.Conv1d/2d/3d, keras.layers.Conv1D/2D/3D, their functional forms).

    ``padding`` is a number, one per axis, pairs, ``"valid"``, ``"same"`` or ``"causal"``. In the functional form
    ``weight`` is the kernel: (out, in/groups, *window) in torch, (*window, in/groups, out) elsewhere, and ``bias`` has a number
    for each output channel.
    """
    if isinstance(weight, TensorType):
        channels = _channel_count(call, x, channels_last, data_format)
        kernel_size, out_channels, in_channels = _from_kernel(call, weight, groups, channels)
        weight_dtype = weight.dtype
        check_bias(call, bias, out_channels)
    elif given(weight):
        kernel_size = out_channels = weight_dtype = Unknown("no-argument", "weight")
        in_channels = None
    elif call.framework != "torch":
        _check_groups(call, x, groups, channels_last, data_format)
    maps = Channels(in_channels, out_channels, weight_dtype, spatial, (channels_last, data_format))
    return convolve(call, x, maps, Sliding(kernel_size, stride, padding, dilation))


def check_bias(call: Call, bias: Value, channels: Value) -> None:
    """Record a bias that has not one number for each of so many channels, which torch asks for."""
    shape = known_shape(bias)
    if call.framework != "torch" or shape is None or not is_dim(channels):
        return
    if len(shape) != 1 or differs(shape[0], channels):
        detail = f"the bias has the shape {show_shape(shape)}, not one element for each of {show(channels)} channels"
        call.fault(faults.OPERATOR_SHAPE, operand="bias", expected=channels, actual=shape, shapes=(shape,), detail=detail)


@dataclass(frozen=True, slots=True)
class Channels:
    """What a convolution does to the channels, and where they are. ``inputs`` ``None`` accepts any number."""

    inputs: Value
    outputs: Value
    dtype: Value = None
    spatial: Value = None
    last: tuple[Value, ...] = ()


def convolve(call: Call, x: TensorType, maps: Channels, sliding: Sliding) -> TensorType:
    """The result of a sliding window that maps input to output channels."""
    dtype = layer_dtype(call, x, maps.dtype)
    placed = place(call, x, maps.spatial, *maps.last)
    if placed is None:
        return unknown_output(x, "rank", dtype)
    shape, axes = placed
    check_channels(call, shape, axes, maps.inputs)
    outputs = size(maps.outputs, "out_channels", 1)
    if call.framework == "torch" and shape[axes.channel] == 0:  # of no channels it makes none
        outputs = 0
    return TensorType(axes.build(shape, outputs, sliding.outputs(call, shape, axes)), dtype)


def _check_groups(call: Call, x: TensorType, groups: Value, *last: Value) -> None:
    """Keras learns the input channels from its first input; they must divide into the groups."""
    channels = _channel_count(call, x, *last)
    if isinstance(groups, int) and groups > 1 and differs(mod(channels, groups), 0):
        detail = f"{show(channels)} input channels do not divide into {groups} groups"
        call.fault(
            faults.OPERATOR_SHAPE,
            operand="groups",
            expected=groups,
            actual=channels,
            shapes=known_shapes(x),
            detail=detail,
        )


def _from_kernel(call: Call, weight: TensorType, groups: Value, channels: Dim) -> tuple[Value, Value, Value]:
    shape = known_shape(weight)
    if shape is None or len(shape) < 3:
        unknown = Unknown("no-argument", "weight")
        return unknown, unknown, None
    parts = size(groups, "groups", 1)
    if call.framework == "torch":
        if isinstance(parts, int) and parts > 1 and differs(mod(shape[0], parts), 0):
            detail = f"{show(shape[0])} output channels do not divide into {parts} groups"
            call.fault(faults.ARGUMENT, operand="groups", actual=parts, shapes=(shape,), detail=detail)
        return shape[2:], shape[0], mul(shape[1], parts)
    grouped = not differs(mod(channels, shape[-2]), 0)
    return shape[:-2], shape[-1], None if grouped else shape[-2]


@op("depthwise_conv", traits=Trait.CONVOLVES | Trait.LEARNED)
def depthwise_conv(
    call: Call,
    x: TensorType,
    *,
    in_channels: Value = None,
    kernel_size: Value = None,
    stride: Value = 1,
    padding: Value = "valid",
    depth_multiplier: Value = 1,
    dilation: Value = 1,
    spatial: Value = None,
    channels_last: Value = None,
    data_format: Value = None,
    weight: Value = None,
    weight_dtype: Value = None,
) -> Result:
    """Each channel convolved by itself (keras.layers.DepthwiseConv1D/2D); gives channels · ``depth_multiplier``.

    In the functional form ``weight`` is (*window, channels, depth_multiplier).
    """
    if isinstance(weight, TensorType):
        kernel_size, in_channels, depth_multiplier = _depthwise_kernel(weight)
        weight_dtype = weight.dtype
    elif given(weight):
        kernel_size = depth_multiplier = weight_dtype = Unknown("no-argument", "weight")
    last = (channels_last, data_format)
    channels = _channel_count(call, x, *last)
    outputs = mul(channels, depth_multiplier) if is_dim(depth_multiplier) else opaque("channels", 1)
    return convolve(
        call, x, Channels(in_channels, outputs, weight_dtype, spatial, last), Sliding(kernel_size, stride, padding, dilation)
    )


@op("separable_conv", traits=Trait.CONVOLVES | Trait.LEARNED)
def separable_conv(
    call: Call,
    x: TensorType,
    *,
    in_channels: Value = None,
    out_channels: Value = None,
    kernel_size: Value = None,
    stride: Value = 1,
    padding: Value = "valid",
    dilation: Value = 1,
    spatial: Value = None,
    channels_last: Value = None,
    data_format: Value = None,
    weight: Value = None,
    pointwise_weight: Value = None,
) -> Result:
    """A depthwise convolution followed by a 1×1 convolution (keras.layers.SeparableConv1D/2D).

    In the functional form ``weight`` is (*window, channels, depth_multiplier) and ``pointwise_weight``
    (*ones, channels · depth_multiplier, out).
    """
    weight_dtype: Value = None
    if isinstance(weight, TensorType):
        kernel_size, in_channels, _ = _depthwise_kernel(weight)
        weight_dtype = weight.dtype
    elif given(weight):
        kernel_size, in_channels, weight_dtype = Unknown("no-argument", "weight"), None, Unknown("no-argument", "weight")
    if given(pointwise_weight):
        pointwise = known_shape(pointwise_weight)
        out_channels = pointwise[-1] if pointwise else Unknown("no-argument", "pointwise_weight")
        if pointwise is None or any(size != 1 for size in pointwise[:-2]):  # a second window
            kernel_size = Unknown("no-argument", "pointwise_weight")
    maps = Channels(in_channels, out_channels, weight_dtype, spatial, (channels_last, data_format))
    return convolve(call, x, maps, Sliding(kernel_size, stride, padding, dilation))


def _depthwise_kernel(weight: TensorType) -> tuple[Value, Value, Value]:
    shape = known_shape(weight)
    if shape is None or len(shape) < 3:
        unknown = Unknown("no-argument", "weight")
        return unknown, None, unknown
    return shape[:-2], shape[-2], shape[-1]


def _channel_count(call: Call, x: TensorType, *last: Value) -> Dim:
    shape, is_last = known_shape(x), is_channels_last(call, *last)
    if not shape or isinstance(is_last, Unknown) or len(shape) < 3:
        return opaque("channels", 1)
    return shape[-1] if is_last else shape[1]


@op("conv_rnn", traits=Trait.LEARNED | Trait.RECURRENT, various=True)
def conv_rnn(
    call: Call,
    x: TensorType,
    *,
    out_channels: Value = None,
    kernel_size: Value = None,
    stride: Value = 1,
    padding: Value = "valid",
    dilation: Value = 1,
    spatial: Value = None,
    channels_last: Value = None,
    data_format: Value = None,
    return_sequences: Flag = False,
    return_state: Flag = False,
) -> Result:
    """A recurrent layer whose step is a convolution (keras.layers.ConvLSTM1D/2D/3D): input (batch, time, *image)."""
    shape = known_shape(x)
    if shape is None or not isinstance(spatial, int):
        return unknown_output(x, "rank")
    if len(shape) != spatial + 3:
        kind = faults.SEQUENCE_RANK if len(shape) == spatial + 2 else faults.RANK
        call.fault(kind, operand="x", expected=(spatial + 3,), actual=len(shape), shapes=(shape,))
        return unknown_output(x.with_shape(Unknown("fault", "conv_rnn")), "rank")
    step = x.with_shape((shape[0], *shape[2:]))
    maps = Channels(None, out_channels, None, spatial, (channels_last, data_format))
    state = convolve(call, step, maps, Sliding(kernel_size, stride, padding, dilation))
    if isinstance(return_sequences, Unknown) or isinstance(return_state, Unknown) or isinstance(state.shape, Unknown):
        return Unknown("no-argument", "return_sequences")
    out = state.with_shape((state.shape[0], shape[1], *state.shape[1:])) if return_sequences else state
    return (out, state, state) if return_state else out


@weights("conv")
def conv_weights(
    *,
    framework: str = "torch",
    in_channels: Value = None,
    out_channels: Value = None,
    kernel_size: Value = None,
    groups: Value = 1,
    spatial: int = 2,
    bias: Value = True,
    **_: Value,
) -> Mapping[str, TensorType]:
    """``weight``, ``bias`` (torch) or ``kernel``, ``bias`` (Keras)."""
    window = sizes(kernel_size, spatial, "kernel_size", 1)
    outputs, inputs = size(out_channels, "out_channels", 1), size(in_channels, "in_channels", 1)
    per_group = floordiv(inputs, size(groups, "groups", 1))
    if framework == "torch":
        return named("weight", (outputs, per_group, *window), (outputs,), bias)
    return named("kernel", (*window, per_group, outputs), (outputs,), bias)


@weights("depthwise_conv")
def depthwise_weights(
    *,
    in_channels: Value = None,
    kernel_size: Value = None,
    depth_multiplier: Value = 1,
    spatial: int = 2,
    bias: Value = True,
    **_: Value,
) -> Mapping[str, TensorType]:
    """``kernel`` (*window, channels, multiplier) and ``bias``."""
    inputs, multiplier = size(in_channels, "in_channels", 1), size(depth_multiplier, "depth_multiplier", 1)
    window = sizes(kernel_size, spatial, "kernel_size", 1)
    return named("kernel", (*window, inputs, multiplier), (mul(inputs, multiplier),), bias)


def named(name: str, kernel: Shape, bias_shape: Shape, bias: Value) -> dict[str, TensorType]:
    """A float32 weight and, if the layer has one, its ``bias``."""
    out = {name: TensorType(kernel, FLOAT32)}
    if bias is True or bias == 1:
        out["bias"] = TensorType(bias_shape, FLOAT32)
    return out
