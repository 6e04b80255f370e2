"""Blocks of pixels and channels exchanged, patches and windows cut out of images, in TensorFlow's terms."""

from __future__ import annotations

from dllint.domains.dim import Dim, differs, floordiv, mod, mul, opaque, show
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType, show_shape
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.sizes import is_dim, size
from dllint.ops.spec import Call, Result, known_shape, known_shapes, op
from dllint.ops.traits import Trait
from dllint.ops.window import Sliding, is_channels_last, place, unknown_output


@op("space_to_depth", traits=Trait.KEEPS_VALUES)
def space_to_depth(call: Call, x: TensorType, block_size: Value, data_format: Value = None) -> Result:
    """Blocks of pixels become channels: height and width divided by ``block_size``, channels times its square."""
    found = _image(call, x, data_format)
    if found is None:
        return unknown_output(x, "rank")
    batch, rows, columns, channels = found
    if not is_dim(block_size):
        return x.with_shape(tuple(opaque("block") for _ in range(4)))
    for length in (rows, columns):
        if differs(mod(length, block_size), 0):
            _indivisible(call, x, length, block_size)
    return _built(
        call,
        x,
        data_format,
        batch,
        (floordiv(rows, block_size), floordiv(columns, block_size)),
        mul(channels, mul(block_size, block_size)),
    )


@op("depth_to_space", traits=Trait.KEEPS_VALUES)
def depth_to_space(call: Call, x: TensorType, block_size: Value, data_format: Value = None) -> Result:
    """The inverse of ``space_to_depth``."""
    found = _image(call, x, data_format)
    if found is None:
        return unknown_output(x, "rank")
    batch, rows, columns, channels = found
    if not is_dim(block_size):
        return x.with_shape(tuple(opaque("block") for _ in range(4)))
    square = mul(block_size, block_size)
    if differs(mod(channels, square), 0):
        _indivisible(call, x, channels, square)
    return _built(call, x, data_format, batch, (mul(rows, block_size), mul(columns, block_size)), floordiv(channels, square))


def _image(call: Call, x: TensorType, data_format: Value) -> tuple[Dim, Dim, Dim, Dim] | None:
    shape = known_shape(x)
    last = is_channels_last(call, None, data_format)
    if shape is None or isinstance(last, Unknown) or not call.rank(x, 4):
        return None
    return (shape[0], shape[1], shape[2], shape[3]) if last else (shape[0], shape[2], shape[3], shape[1])


def _built(call: Call, x: TensorType, data_format: Value, batch: Dim, image: tuple[Dim, Dim], channels: Dim) -> TensorType:
    last = is_channels_last(call, None, data_format)
    return x.with_shape((batch, *image, channels) if last else (batch, channels, *image))


def _indivisible(call: Call, x: TensorType, length: Dim, parts: Dim) -> None:
    detail = f"{show(length)} does not divide into {show(parts)}"
    call.fault(
        faults.OPERATOR_SHAPE,
        operand="block_size",
        expected=parts,
        actual=length,
        shapes=known_shapes(x),
        detail=detail,
    )


@op("extract_patches")
def extract_patches(
    call: Call, x: TensorType, kernel_size: Value, stride: Value, dilation: Value = 1, padding: Value = "valid"
) -> Result:
    """All windows of an image, each flattened into the channels (tf.image.extract_patches)."""
    placed = place(call, x, 2)
    if placed is None:
        return unknown_output(x, "rank")
    shape, axes = placed
    windows = Sliding(kernel_size, stride, padding, dilation)
    pixels: Dim = 1
    for window in windows.windows(axes):
        pixels = mul(pixels, window.kernel)
    return x.with_shape(axes.build(shape, mul(pixels, shape[axes.channel]), windows.outputs(call, shape, axes)))


@op("crop_image", traits=Trait.SELECTS)
def crop_image(call: Call, x: TensorType, height: Value, width: Value, top: Value = None, left: Value = None) -> Result:
    """A window of ``height`` by ``width`` pixels of an image or a batch of images; at ``top`` and ``left`` it must fit."""
    shape = known_shape(x)
    if shape is None or not call.rank(x, 3, 4):
        return unknown_output(x, "rank")
    for name, whole, start, length in (("height", shape[-3], top, height), ("width", shape[-2], left, width)):
        if isinstance(whole, int) and isinstance(start, int) and isinstance(length, int) and start + length > whole:
            detail = f"a {name} of {show(length)} from {show(start)} on does not fit into {show_shape(shape)}"
            call.fault(
                faults.OPERATOR_SHAPE, operand=name, expected=whole, actual=start + length, shapes=(shape,), detail=detail
            )
    return x.with_shape((*shape[:-3], size(height, "height", 1), size(width, "width", 1), shape[-1]))


@op("grayscale")
def grayscale(call: Call, x: TensorType, channels: Value = 1) -> Result:
    """An image with another number of channels on its last axis (tf.image.rgb_to_grayscale, grayscale_to_rgb)."""
    shape: Shape | None = known_shape(x)
    return x.with_shape(Unknown("rank", "image") if not shape else (*shape[:-1], size(channels, "channels", 1)))
