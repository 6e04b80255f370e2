"""Changing spatial sizes without a window: interpolation and resizing of images."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from dllint.domains.dim import Dim, differs, floordiv, mul, opaque, show
from dllint.domains.dtype import FLOAT32, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.promotion import floating
from dllint.ops.sizes import is_dim, size, sizes
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait
from dllint.ops.window import Layout, is_channels_last, is_symbolic, place, unknown_output

#: Ranks that torch's interpolate accepts, by mode.
MODE_RANKS: Mapping[str, tuple[int, ...]] = {
    "linear": (3,),
    "bilinear": (4,),
    "bicubic": (4,),
    "trilinear": (5,),
    "nearest": (3, 4, 5),
    "nearest-exact": (3, 4, 5),
    "area": (3, 4, 5),
    "lanczos": (4,),
}
_LARGEST_DENOMINATOR = 64


@op("interpolate", traits=Trait.RESAMPLES | Trait.AUTOCAST_SINGLE_ON_CARD)
def interpolate(
    call: Call,
    x: TensorType,
    *,
    size: Value = None,
    scale_factor: Value = None,
    mode: Value = "nearest",
    spatial: Value = None,
    channels_last: Value = None,
    data_format: Value = None,
) -> Result:
    """Spatial sizes ``size``, or the input's times ``scale_factor``, rounded down (torch.nn.functional.interpolate,
    torch.nn.Upsample, keras.layers.UpSampling1D/2D/3D). In torch the mode fixes the rank."""
    if call.framework == "torch":
        spatial = None
        allowed = MODE_RANKS.get(mode, (3, 4, 5)) if isinstance(mode, str) else (3, 4, 5)
        if not call.rank(x, *allowed):
            return x.with_shape(x.shape)
        if size is None and scale_factor is None:
            call.fault(faults.ARGUMENT, operand="size", detail="either size or scale_factor has to be given")
    placed = place(call, x, spatial, channels_last, data_format)
    if placed is None:
        return unknown_output(x, "rank")
    known, axes = placed
    return x.with_shape(axes.build(known, known[axes.channel], _resized(call, known, axes, size, scale_factor)))


def _resized(call: Call, x: Shape, axes: Layout, wanted: Value, scale: Value) -> tuple[Dim, ...]:
    count = len(axes.spatial)
    asked = wanted if wanted is not None else scale
    if isinstance(asked, tuple) and len(asked) != count:
        name = "size" if wanted is not None else "scale_factor"
        detail = f"{name} has {len(asked)} entries but the input has {count} spatial axes"
        call.fault(faults.OPERATOR_SHAPE, operand=name, expected=count, actual=len(asked), shapes=(x,), detail=detail)
        return tuple(opaque("size", 1) for _ in axes.spatial)
    each = asked if isinstance(asked, tuple) else (asked,) * count
    if wanted is not None:
        return sizes(wanted, count, "size", 1)
    return tuple(scaled(x[axis], factor) for axis, factor in zip(axes.spatial, each, strict=True))


def scaled(dim: Dim, factor: Value) -> Dim:
    """``floor(dim · factor)``; exact for a symbolic size if the factor is a simple fraction."""
    if is_dim(factor):
        return mul(dim, factor)
    if not isinstance(factor, float):
        return opaque("scaled", 1)
    if isinstance(dim, int):
        return int(dim * factor)
    numerator, denominator = factor.as_integer_ratio()
    if denominator > _LARGEST_DENOMINATOR:
        return opaque("scaled", 0)
    return floordiv(mul(dim, numerator), denominator)


@op("resize_image", traits=Trait.RESAMPLES)
def resize_image(
    call: Call,
    x: TensorType,
    *,
    height: Value = None,
    width: Value = None,
    shape: Value = None,
    channels_last: Value = None,
    data_format: Value = None,
    mode: Value = None,
    padded: Value = False,
    computes: Value = False,
) -> Result:
    """An image or a batch of images with the given height and width (keras.layers.Resizing, tf.image.resize). ``padded``:
    what is left beside an image that keeps its proportions is filled up with zeros. ``computes``: integers become
    floating-point numbers, as Keras's crops make them."""
    last = is_channels_last(call, channels_last, data_format)
    x = TensorType(x.shape, floating(call, x) if computes is True else _resized_type(call, x, mode))
    known = known_shape(x)
    checked = Call(call.kind, call.framework) if is_symbolic(call, known) else call
    if known is None or isinstance(last, Unknown) or not checked.rank(x, 3, 4):
        return unknown_output(x, "data_format")
    both = shape if isinstance(shape, tuple) and len(shape) == 2 else (height, width)
    rows, columns = (size(v, "size", 1) for v in both)
    return x.with_shape((*known[:-3], rows, columns, known[-1]) if last else (*known[:-2], rows, columns))


#: TensorFlow's ways to give an image another size that take elements as they are; 1 is how TensorFlow 1 counts them.
_TAKING: Final = ("nearest", "padded", 1)


def _resized_type(call: Call, x: TensorType, mode: Value) -> DType | Unknown:
    """TensorFlow's mixtures of elements are float32, Keras casts them back."""
    if call.framework != "tensorflow" or x.dtype == FLOAT32 or mode in _TAKING:
        return x.dtype
    return FLOAT32 if mode is None or isinstance(mode, (str, int)) else Unknown("no-argument", "method")


@op("crop_boxes", traits=Trait.RESAMPLES)
def crop_boxes(call: Call, x: TensorType, boxes: TensorType, index: Value = None, size: Value = None) -> Result:
    """Parts of images, each brought to one size: ``(boxes, height, width, channels)`` in single precision."""
    images, found = known_shape(x), known_shape(boxes)
    if images is None or found is None or len(images) != 4 or len(found) != 2:
        return TensorType(Unknown("unknown-rank", "crop_boxes"), FLOAT32)
    return TensorType((found[0], *sizes(size, 2, "size", 1), images[-1]), FLOAT32)


@op("grid_sample", traits=Trait.RESAMPLES | Trait.AUTOCAST_SINGLE_ON_CPU | Trait.AUTOCAST_WIDEST_ON_CARD)
def grid_sample(call: Call, x: TensorType, grid: TensorType) -> Result:
    """Samples (N, C, …) at the positions ``grid`` (N, *output, spatial axes): (N, C, *output)."""
    image, positions = known_shape(x), known_shape(grid)
    if image is None or positions is None or not call.rank(x, 4, 5):
        return x.with_shape(Unknown("no-argument", "rank"))
    count = len(image) - 2
    if not call.rank(grid, len(image), operand="grid"):
        return x.with_shape(image)
    for axis, expected in ((0, image[0]), (len(positions) - 1, count)):
        if differs(positions[axis], expected):
            detail = f"axis {axis} of the grid has {show(positions[axis])} elements, not {show(expected)}"
            call.fault(
                faults.OPERATOR_SHAPE,
                operand="grid",
                axis=axis,
                expected=expected,
                actual=positions[axis],
                shapes=(image, positions),
                detail=detail,
            )
    return x.with_shape((*image[:2], *positions[1:-1]))


@op("affine_grid")
def affine_grid(call: Call, theta: TensorType, size: Value) -> Result:
    """The grid of an affine map for an output of ``size`` (N, C, *spatial): (N, *spatial, number of spatial axes)."""
    if not isinstance(size, tuple) or len(size) not in (4, 5):
        return theta.with_shape(Unknown("no-argument", "size"))
    wanted = sizes(size, len(size), "size", 1)
    return theta.with_shape((wanted[0], *wanted[2:], len(wanted) - 2))
