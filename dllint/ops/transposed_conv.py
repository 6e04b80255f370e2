"""Transposed convolutions."""

from __future__ import annotations

from collections.abc import Mapping

from dllint.domains.dim import Dim, add, bounds, floordiv, mod, mul, opaque, show
from dllint.domains.dim import maximum as larger
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType, total_of, transposed_output
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.conv import check_bias, named
from dllint.ops.sizes import given, size, sizes
from dllint.ops.spec import Call, Result, known_shape, op, weights
from dllint.ops.traits import Trait
from dllint.ops.window import Layout, Sliding, Window, check_channels, layer_dtype, place, unknown_output


@op("conv_transpose", traits=Trait.CONVOLVES | Trait.LEARNED | Trait.COUNTS_AXES | Trait.AUTOCAST_LOWER)
def conv_transpose(
    call: Call,
    x: TensorType,
    *,
    in_channels: Value = None,
    out_channels: Value = None,
    kernel_size: Value = None,
    stride: Value = 1,
    padding: Value = 0,
    output_padding: Value = None,
    dilation: Value = 1,
    groups: Value = 1,
    output_size: Value = None,
    spatial: Value = None,
    channels_last: Value = None,
    data_format: Value = None,
    weight: Value = None,
    weight_dtype: Value = None,
    bias: Value = None,
) -> Result:
    """Transposed convolution (torch.nn.ConvTranspose1d/2d/3d, keras.layers.Conv1DTranspose …).

    torch: ``(size - 1) · stride - 2 · padding + dilation · (kernel - 1) + output_padding + 1``. Keras: ``size · stride``
    for ``"same"`` and ``(size - 1) · stride + max(kernel, stride)`` for ``"valid"`` without ``output_padding``. In the
    functional form ``weight`` is (in, out/groups, *window) in torch, (*window, out, in) elsewhere, and ``bias`` has a number
    for each output channel.
    """
    if isinstance(weight, TensorType):
        kernel_size, out_channels, in_channels = _from_kernel(call, weight, groups)
        weight_dtype = weight.dtype
        check_bias(call, bias, out_channels)
    elif given(weight):
        kernel_size = out_channels = weight_dtype = Unknown("no-argument", "weight")
        in_channels = None
    dtype = layer_dtype(call, x, weight_dtype)
    placed = place(call, x, spatial, channels_last, data_format)
    if placed is None:
        return unknown_output(x, "rank", dtype)
    shape, axes = placed
    check_channels(call, shape, axes, in_channels)
    grown = _grown(call, shape, axes, Sliding(kernel_size, stride, padding, dilation), output_padding)
    if output_size is not None:
        grown = _requested(output_size, axes)
    return TensorType(axes.build(shape, size(out_channels, "out_channels", 1), grown), dtype)


def _from_kernel(call: Call, weight: TensorType, groups: Value) -> tuple[Value, Value, Value]:
    shape = known_shape(weight)
    if shape is None or len(shape) < 3:
        unknown = Unknown("no-argument", "weight")
        return unknown, unknown, None
    if call.framework == "torch":
        return shape[2:], mul(shape[1], size(groups, "groups", 1)), shape[0]
    return shape[:-2], shape[-2], shape[-1]


def _grown(call: Call, x: Shape, axes: Layout, sliding: Sliding, output_padding: Value) -> tuple[Dim, ...]:
    count = len(axes.spatial)
    extra = (None,) * count if output_padding is None else sizes(output_padding, count, "output_padding")
    out = []
    for axis, window, more in zip(axes.spatial, sliding.windows(axes), extra, strict=True):
        grow = _torch_size if call.framework == "torch" else _keras_size
        grown = grow(x[axis], window, sliding.padding, more) if window.known else opaque("grown", 1)
        out.append(_not_negative(call, x, axis, window, grown))
    return tuple(out)


def _torch_size(n: Dim, window: Window, padding: Value, more: Dim | None) -> Dim:
    return transposed_output(n, window.kernel, window.stride, window.padding, window.dilation, 0 if more is None else more)


def _keras_size(n: Dim, window: Window, padding: Value, more: Dim | None) -> Dim:
    if not isinstance(padding, (str, int)):
        return opaque("padding", 1)
    if isinstance(padding, str) and padding.lower() == "same":
        if more is None:
            return mul(n, window.stride)
        return total_of(mul(add(n, -1), window.stride), mod(window.extent, 2), more)
    beyond = add(larger(window.extent, window.stride), mul(window.extent, -1)) if more is None else more
    return total_of(mul(add(n, -1), window.stride), window.extent, beyond)


def _not_negative(call: Call, x: Shape, axis: int, window: Window, grown: Dim) -> Dim:
    high = bounds(grown)[1]
    if high is None or high >= 0:
        return grown
    detail = f"a padding of {show(window.before)} on both sides removes more than the whole output"
    call.fault(faults.SPATIAL_COLLAPSE, operand="padding", axis=axis, expected=0, actual=grown, shapes=(x,), detail=detail)
    return opaque("collapsed", 1)


def _requested(output_size: Value, axes: Layout) -> tuple[Dim, ...]:
    """The sizes asked for at the call; a full shape is cut to its spatial axes."""
    count = len(axes.spatial)
    wanted = axes.per_axis(output_size)
    return sizes(wanted[-count:] if isinstance(wanted, tuple) else wanted, count, "output_size", 1)


@weights("conv_transpose")
def conv_transpose_weights(
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
    """``weight`` (in, out/groups, *window) in torch, ``kernel`` (*window, out, in) in Keras, and ``bias``."""
    window = sizes(kernel_size, spatial, "kernel_size", 1)
    outputs, inputs = size(out_channels, "out_channels", 1), size(in_channels, "in_channels", 1)
    if framework == "torch":
        return named("weight", (inputs, floordiv(outputs, size(groups, "groups", 1)), *window), (outputs,), bias)
    return named("kernel", (*window, outputs, inputs), (outputs,), bias)
