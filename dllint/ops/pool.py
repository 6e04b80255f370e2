"""Pooling: with a window, adaptive, and global."""

from __future__ import annotations

from dllint.domains.dim import Dim, add, mul, opaque
from dllint.domains.dtype import INT64, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType, show_shape, total_of
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.reduction import different
from dllint.ops.sizes import size, sizes
from dllint.ops.spec import Call, Flag, Result, known_shape, op
from dllint.ops.traits import Trait
from dllint.ops.window import Layout, Sliding, is_symbolic, place, unknown_output


@op("max_pool", traits=Trait.PICKS_LARGE | Trait.MAX_POOL, various=True)
def max_pool(
    call: Call,
    x: TensorType,
    *,
    kernel_size: Value = 2,
    stride: Value = None,
    padding: Value = 0,
    dilation: Value = 1,
    ceil_mode: Flag = False,
    return_indices: Flag = False,
    spatial: Value = None,
    channels_last: Value = None,
    data_format: Value = None,
) -> Result:
    """Maximum over a window; ``stride`` defaults to the window. Two results with ``return_indices``."""
    sliding = Sliding(kernel_size, stride, padding, dilation, ceil_mode)
    return with_indices(pooled(call, x, place(call, x, spatial, channels_last, data_format), sliding), return_indices)


@op("avg_pool", traits=Trait.KEEPS_SIGN | Trait.AVERAGES | Trait.POOLS)
def avg_pool(
    call: Call,
    x: TensorType,
    *,
    kernel_size: Value = 2,
    stride: Value = None,
    padding: Value = 0,
    ceil_mode: Flag = False,
    spatial: Value = None,
    channels_last: Value = None,
    data_format: Value = None,
) -> Result:
    """Mean over a window."""
    sliding = Sliding(kernel_size, stride, padding, 1, ceil_mode)
    return pooled(call, x, place(call, x, spatial, channels_last, data_format), sliding)


@op("lp_pool", traits=Trait.POOLS)
def lp_pool(
    call: Call,
    x: TensorType,
    *,
    norm_type: Value = 2,
    kernel_size: Value = 2,
    stride: Value = None,
    ceil_mode: Flag = False,
    spatial: Value = None,
) -> Result:
    """Power mean over a window (torch.nn.LPPool1d/2d/3d)."""
    found = pooled(call, x, place(call, x, spatial), Sliding(kernel_size, stride, ceil=ceil_mode))
    is_float = isinstance(x.dtype, DType) and x.dtype.kind == "float"
    return found if is_float else found.with_dtype(Unknown("no-argument", "element type"))


@op("max_unpool", traits=Trait.KEEPS_SIGN)
def max_unpool(
    call: Call,
    x: TensorType,
    *,
    indices: Value = None,
    kernel_size: Value = 2,
    stride: Value = None,
    padding: Value = 0,
    output_size: Value = None,
    spatial: Value = None,
) -> Result:
    """The inverse of ``max_pool``: ``(size - 1) · stride - 2 · padding + kernel``, or ``output_size``."""
    given, places = known_shape(x), known_shape(indices)
    if given is not None and places is not None and different(given, places):
        detail = f"the indices must have the shape of the input {show_shape(given)}, not {show_shape(places)}"
        call.fault(
            faults.OPERATOR_SHAPE, operand="indices", expected=given, actual=places, shapes=(given, places), detail=detail
        )
    placed = place(call, x, spatial)
    if placed is None:
        return unknown_output(x, "rank")
    shape, axes = placed
    count = len(axes.spatial)
    if output_size is not None:
        wanted = output_size[-count:] if isinstance(output_size, tuple) else output_size
        return x.with_shape(axes.build(shape, shape[axes.channel], sizes(wanted, count, "output_size", 1)))
    moving = zip(axes.spatial, Sliding(kernel_size, stride, padding).windows(axes), strict=True)
    unpooled = [total_of(mul(add(shape[axis], -1), w.stride), mul(w.padding, -1), w.kernel) for axis, w in moving]
    return x.with_shape(axes.build(shape, shape[axes.channel], unpooled))


def pooled(call: Call, x: TensorType, placed: tuple[Shape, Layout] | None, sliding: Sliding) -> TensorType:
    """The result of moving a window over each channel."""
    if placed is None:
        return unknown_output(x, "rank")
    shape, axes = placed
    return x.with_shape(axes.build(shape, shape[axes.channel], sliding.outputs(call, shape, axes)))


def with_indices(out: TensorType, return_indices: Value) -> Result:
    """The result alone or with the indices of the maxima."""
    if isinstance(return_indices, Unknown):
        return return_indices
    return (out, out.with_dtype(INT64)) if return_indices else out


@op("adaptive_avg_pool", traits=Trait.KEEPS_SIGN | Trait.AVERAGES | Trait.POOLS)
def adaptive_avg_pool(
    call: Call,
    x: TensorType,
    *,
    output_size: Value = 1,
    spatial: Value = None,
    channels_last: Value = None,
    data_format: Value = None,
) -> Result:
    """Mean over windows chosen so that the output has ``output_size`` (``None``: as the input). torch takes the mean over the
    last axes where that is one number per axis, of how many there are it asks nothing then."""
    shape, ones = known_shape(x), output_size if isinstance(output_size, tuple) else (output_size,)
    if call.framework == "torch" and spatial in (2, 3) and shape is not None and all(size == 1 for size in ones):
        count = 2 if spatial == 2 else 3
        if len(shape) >= count + isinstance(output_size, tuple) and len(ones) in (1, count):
            return x.with_shape((*shape[:-count], *(1,) * count))
    return adapted(x, _placed(call, x, spatial, channels_last, data_format), output_size)


def _placed(call: Call, x: TensorType, spatial: Value, *hints: Value) -> tuple[Shape, Layout] | None:
    """The shape and its axes. Keras looks at the rank when it computes, and not at a graph's symbolic inputs."""
    symbolic = is_symbolic(call, x.shape if isinstance(x.shape, tuple) else None)
    return place(Call(call.kind, call.framework) if symbolic else call, x, spatial, *hints)


@op("adaptive_max_pool", traits=Trait.PICKS_LARGE | Trait.MAX_POOL, various=True)
def adaptive_max_pool(
    call: Call,
    x: TensorType,
    *,
    output_size: Value = 1,
    return_indices: Flag = False,
    spatial: Value = None,
    channels_last: Value = None,
    data_format: Value = None,
) -> Result:
    """Maximum over windows chosen so that the output has ``output_size`` (``None``: as the input)."""
    out = adapted(x, _placed(call, x, spatial, channels_last, data_format), output_size)
    return with_indices(out, return_indices)


@op("fractional_max_pool", traits=Trait.PICKS_LARGE | Trait.MAX_POOL, various=True)
def fractional_max_pool(
    call: Call,
    x: TensorType,
    *,
    kernel_size: Value = 2,
    output_size: Value = None,
    output_ratio: Value = None,
    return_indices: Flag = False,
    spatial: Value = None,
) -> Result:
    """Maximum over pseudo-random windows; the output has ``output_size`` or ``output_ratio`` times the input."""
    placed = place(call, x, spatial)
    if placed is not None and output_size is None:
        shape, axes = placed
        count = len(axes.spatial)
        ratios = output_ratio if isinstance(output_ratio, tuple) and len(output_ratio) == count else (output_ratio,) * count
        output_size = tuple(_scaled(shape[axis], ratio) for axis, ratio in zip(axes.spatial, ratios, strict=True))
    return with_indices(adapted(x, placed, output_size), return_indices)


def _scaled(size: Dim, ratio: Value) -> Dim:
    return int(size * ratio) if isinstance(size, int) and isinstance(ratio, float) else opaque("output_ratio", 1)


def adapted(x: TensorType, placed: tuple[Shape, Layout] | None, output_size: Value) -> TensorType:
    """The result with the spatial sizes of ``output_size``; ``None`` entries keep the input's."""
    if placed is None:
        return unknown_output(x, "rank")
    shape, axes = placed
    count = len(axes.spatial)
    each = output_size if isinstance(output_size, tuple) and len(output_size) == count else (output_size,) * count
    if isinstance(output_size, tuple) and len(output_size) != count:
        each = sizes(output_size, count, "output_size", 1)
    out = [shape[axis] if w is None else size(w, "output_size", 1) for axis, w in zip(axes.spatial, each, strict=True)]
    return x.with_shape(axes.build(shape, shape[axes.channel], out))


@op("global_avg_pool", traits=Trait.KEEPS_SIGN | Trait.AVERAGES | Trait.POOLS)
def global_avg_pool(
    call: Call,
    x: TensorType,
    *,
    spatial: Value = None,
    keepdim: Flag = False,
    channels_last: Value = None,
    data_format: Value = None,
) -> Result:
    """Mean over all spatial axes (keras.layers.GlobalAveragePooling1D/2D/3D)."""
    found = reduced(x, place(call, x, spatial, channels_last, data_format), keepdim)
    whole = isinstance(x.dtype, DType) and x.dtype.kind in ("int", "bool")
    return found.with_dtype(Unknown("backend", "means of whole numbers")) if whole else found


@op("global_max_pool", traits=Trait.PICKS_LARGE | Trait.MAX_POOL)
def global_max_pool(
    call: Call,
    x: TensorType,
    *,
    spatial: Value = None,
    keepdim: Flag = False,
    channels_last: Value = None,
    data_format: Value = None,
) -> Result:
    """Maximum over all spatial axes (keras.layers.GlobalMaxPooling1D/2D/3D)."""
    return reduced(x, place(call, x, spatial, channels_last, data_format), keepdim)


def reduced(x: TensorType, placed: tuple[Shape, Layout] | None, keepdim: Value) -> TensorType:
    """The result with the spatial axes removed, or of size 1 with ``keepdim``."""
    if isinstance(keepdim, Unknown) or placed is None:
        return x.with_shape(keepdim if isinstance(keepdim, Unknown) else unknown_output(x, "rank").shape)
    shape, axes = placed
    if keepdim:
        return x.with_shape(tuple(1 if axis in axes.spatial else dim for axis, dim in enumerate(shape)))
    return x.with_shape(tuple(dim for axis, dim in enumerate(shape) if axis not in axes.spatial))
