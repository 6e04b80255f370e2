"""Elements moved between channels and space, and sliding blocks."""

from __future__ import annotations

from dllint.domains.dim import Dim, add, bounds, differs, floordiv, mod, mul, opaque, product, show
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType, window_output
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.sizes import is_dim, sizes
from dllint.ops.spec import Call, Result, known_shape, op
from dllint.ops.traits import Trait
from dllint.ops.view import layout


def _divide(call: Call, shape: Shape, axis: int, divisor: Value, operand: str) -> Dim:
    """The size on an axis divided by a number that must divide it."""
    if not is_dim(divisor):
        return opaque("quotient")
    if differs(mod(shape[axis], divisor), 0):
        detail = f"size {show(shape[axis])} on axis {axis} is not divisible by {show(divisor)}"
        call.fault(
            faults.OPERATOR_SHAPE,
            operand=operand,
            axis=axis,
            expected=divisor,
            actual=shape[axis],
            shapes=(shape,),
            detail=detail,
        )
    return floordiv(shape[axis], divisor)


def _image(call: Call, x: TensorType, least: int) -> Shape | None:
    shape = known_shape(x)
    return shape if shape is not None and call.rank(x, *range(least, 9)) else None


@op("pixel_shuffle", traits=Trait.KEEPS_VALUES | Trait.ROW_BY_ROW)
def pixel_shuffle(call: Call, x: TensorType, factor: Value) -> Result:
    """(…, C·r², H, W) to (…, C, H·r, W·r)."""
    shape = _image(call, x, 3)
    if shape is None or not is_dim(factor):
        return x.with_shape(Unknown("no-argument", "pixel_shuffle"))
    channels = _divide(call, shape, len(shape) - 3, mul(factor, factor), "upscale_factor")
    return x.with_shape((*shape[:-3], channels, mul(shape[-2], factor), mul(shape[-1], factor)))


@op("pixel_unshuffle", traits=Trait.KEEPS_VALUES | Trait.OWN_ORDER)
def pixel_unshuffle(call: Call, x: TensorType, factor: Value) -> Result:
    """(…, C, H·r, W·r) to (…, C·r², H, W); torch leaves an empty image as it is."""
    shape = _image(call, x, 3)
    if shape is None or not is_dim(factor):
        return x.with_shape(Unknown("no-argument", "pixel_unshuffle"))
    rows = _divide(call, shape, len(shape) - 2, factor, "downscale_factor")
    columns = _divide(call, shape, len(shape) - 1, factor, "downscale_factor")
    if 0 in shape:
        return x
    return x.with_shape((*shape[:-3], mul(shape[-3], mul(factor, factor)), rows, columns))


@op("channel_shuffle", traits=Trait.KEEPS_VALUES | Trait.KEEPS_SHAPE)
def channel_shuffle(call: Call, x: TensorType, groups: Value) -> Result:
    """Channels (axis 1) dealt out anew among groups."""
    shape = _image(call, x, 3)
    if shape is not None:
        _divide(call, shape, 1, groups, "groups")
    return x.with_shape(x.shape)


@op("unfold", traits=Trait.KEEPS_SIGN | Trait.TELLS_LAYOUT)
def unfold(call: Call, x: TensorType, kernel_size: Value, dilation: Value = 1, padding: Value = 0, stride: Value = 1) -> Result:
    """Sliding blocks of an image as columns: (N, C, H, W) to (N, C·∏kernel, L)."""
    if not call.rank(x, 3, 4):
        return x.with_shape(Unknown("rank", "unfold"))
    shape = known_shape(x) or ()
    kernel, counts = sizes(kernel_size, 2, "kernel_size", 1), _positions(shape[-2:], kernel_size, dilation, padding, stride)
    for axis, count in enumerate(counts, len(shape) - 2):
        _, high = bounds(count)
        if high is not None and high <= 0:
            detail = "no block fits into the padded input"
            call.fault(
                faults.SPATIAL_COLLAPSE, operand="kernel_size", axis=axis, expected=kernel[axis - len(shape)],
                actual=shape[axis], shapes=(shape,), detail=detail,
            )  # fmt: skip
    return x.with_shape((*shape[:-3], mul(shape[-3], product(kernel)), product(counts)))


def _positions(space: Shape, kernel: Value, dilation: Value, padding: Value, stride: Value) -> tuple[Dim, ...]:
    kernels, steps = sizes(kernel, 2, "kernel_size", 1), sizes(stride, 2, "stride", 1)
    pads, gaps = sizes(padding, 2, "padding"), sizes(dilation, 2, "dilation", 1)
    rows = zip(space, kernels, steps, pads, gaps, strict=True)
    return tuple(window_output(n, k, s, mul(p, 2), d) for n, k, s, p, d in rows)


@op("fold", traits=Trait.KEEPS_SIGN | Trait.OWN_ORDER)
def fold(call: Call, x: TensorType, output_size: Value, kernel_size: Value, dilation: Value = 1, padding: Value = 0,
         stride: Value = 1) -> Result:  # fmt: skip
    """Columns summed back into an image: (N, C·∏kernel, L) to (N, C, *output_size)."""
    if not call.rank(x, 2, 3):
        return x.with_shape(Unknown("rank", "fold"))
    shape, space = known_shape(x) or (), sizes(output_size, 2, "output_size", 1)
    channels = _divide(call, shape, len(shape) - 2, product(sizes(kernel_size, 2, "kernel_size", 1)), "kernel_size")
    blocks = product(_positions(space, kernel_size, dilation, padding, stride))
    if differs(shape[-1], blocks):
        detail = f"an image of {show(space[0])}×{show(space[1])} has {show(blocks)} blocks, not {show(shape[-1])}"
        axis = len(shape) - 1
        call.fault(
            faults.OPERATOR_SHAPE, operand="x", axis=axis, expected=blocks, actual=shape[-1], shapes=(shape,), detail=detail
        )
    return x.with_shape((*shape[:-2], channels, *space))


@op("unfold_axis", traits=Trait.SELECTS | Trait.VIEW | Trait.TELLS_LAYOUT)
def unfold_axis(call: Call, x: TensorType, dim: Value, size: Value, step: Value) -> Result:
    """``Tensor.unfold``: windows along an axis, whose elements become a last axis."""
    axis, shape = call.axis(dim, x), known_shape(x)
    if shape is None or axis is None or not is_dim(size) or not is_dim(step):
        return TensorType(Unknown("no-argument", "unfold"), x.dtype, Unknown("layout", "unfold"))
    if not shape:
        return x.with_shape((size,))
    low, _ = bounds(add(size, mul(shape[axis], -1)))
    if low is not None and low > 0:
        detail = f"the window {show(size)} exceeds size {show(shape[axis])} on axis {axis}"
        call.fault(
            faults.OPERATOR_SHAPE, operand="size", axis=axis, expected=shape[axis], actual=size, shapes=(shape,), detail=detail
        )
    count = floordiv(add(shape[axis], mul(size, -1)), step)
    strides = Unknown("layout", "unfold") if isinstance(layout(x), tuple) else x.strides
    return TensorType((*shape[:axis], add(count, 1), *shape[axis + 1 :], size), x.dtype, strides)
