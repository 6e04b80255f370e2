"""Sliding windows of convolutions and poolings: the spatial axes and the output sizes."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from dllint.domains.dim import Dim, add, bounds, differs, floordiv, is_known, minimum, mul, opaque, show
from dllint.domains.dtype import FLOAT32, FLOAT64, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType, window_output
from dllint.ir.values import Value
from dllint.ops import faults
from dllint.ops.operand import is_axis_list
from dllint.ops.sizes import is_dim, sizes
from dllint.ops.spec import Call


@dataclass(frozen=True, slots=True)
class Layout:
    """Which axes of an input are channels and space; ``batch`` is false for torch's single samples."""

    batch: bool
    channel: int
    spatial: tuple[int, ...]

    def build(self, x: Shape, channels: Dim, spatial: Iterable[Dim]) -> Shape:
        """A shape of this layout with the batch size of ``x``."""
        out = list(x)
        out[self.channel] = channels
        for axis, dim in zip(self.spatial, spatial, strict=True):
            out[axis] = dim
        return tuple(out)

    def per_axis(self, value: Value) -> Value:
        """An argument for the spatial axes alone: TensorFlow also lists batch and channels (``strides=[1, 2, 2, 1]``)."""
        if isinstance(value, tuple) and len(value) == len(self.spatial) + 2 and self.batch:
            return tuple(value[axis] for axis in self.spatial)
        return value


def is_channels_last(call: Call, *hints: Value) -> bool | Unknown:
    """Whether channels are the last axis: the first hint given (a bool, ``"channels_last"``, ``"NHWC"``), else the
    framework's habit (torch: first, Keras and TensorFlow: last)."""
    hint = next((h for h in hints if h is not None), None)
    if hint is None:
        return call.framework != "torch"
    if isinstance(hint, str):
        return not (hint == "channels_first" or hint.upper().startswith("NC"))
    return hint if isinstance(hint, bool) else Unknown("no-argument", "data_format")


def layout(call: Call, x: TensorType, spatial: int, last: bool) -> Layout | None:
    """The axes of ``x``, or ``None`` if the rank is unknown or refused (which is recorded). torch also takes a single
    sample without batch axis."""
    allowed = (spatial + 2, spatial + 1) if call.framework == "torch" else (spatial + 2,)
    if not call.rank(x, *allowed) or isinstance(x.shape, Unknown):
        return None
    first = len(x.shape) - spatial - 1
    if last:
        return Layout(bool(first), len(x.shape) - 1, tuple(range(first, first + spatial)))
    return Layout(bool(first), first, tuple(range(first + 1, len(x.shape))))


def place(call: Call, x: TensorType, spatial: Value, *hints: Value) -> tuple[Shape, Layout] | None:
    """The known shape of ``x`` and its axes, or ``None`` where either is unknown or the rank is refused."""
    count, last = spatial_count(spatial, x), is_channels_last(call, *hints)
    if count is None or isinstance(last, Unknown) or isinstance(x.shape, Unknown):
        return None
    axes = layout(call, x, count, last)
    return None if axes is None else (x.shape, axes)


def is_symbolic(call: Call, shape: Shape | None) -> bool:
    """Whether a tensor may be the symbolic input of a graph of Keras, whose batch size is open."""
    return call.framework == "keras" and bool(shape) and shape is not None and not isinstance(shape[0], int)


def spatial_count(spatial: Value, x: TensorType) -> int | None:
    """The number of spatial axes: as given, else all but batch and channels."""
    if isinstance(spatial, int):
        return spatial if spatial >= 0 else None
    return None if spatial is not None or x.rank is None else max(0, x.rank - 2)


def check_channels(call: Call, x: Shape, axes: Layout, expected: Value, operand: str = "in_channels") -> None:
    """Compare the channel axis with the declared number. A sample without batch axis is more likely a batch without
    channel axis, hence the rank fault."""
    actual = x[axes.channel]
    if not is_dim(expected) or not differs(actual, expected):
        return
    if axes.batch:
        call.fault(faults.FEATURE_SIZE, operand=operand, axis=axes.channel, expected=expected, actual=actual, shapes=(x,))
    else:
        detail = f"read as one sample without batch axis it has {show(actual)} channels, not {show(expected)}"
        call.fault(faults.RANK, operand="x", expected=(len(x) + 1,), actual=len(x), shapes=(x,), detail=detail)


@dataclass(frozen=True, slots=True)
class Window:
    """A window on one axis. ``padding`` is the sum of both sides, ``before`` the left side alone."""

    kernel: Dim
    stride: Dim
    before: Dim = 0
    padding: Dim = 0
    dilation: Dim = 1

    @property
    def extent(self) -> Dim:
        """Number of input positions the window spans."""
        return add(mul(self.dilation, add(self.kernel, -1)), 1)

    @property
    def known(self) -> bool:
        """Whether all of it is known up to inputs and parameters."""
        return all(map(is_known, (self.kernel, self.stride, self.padding, self.dilation)))

    def causal(self) -> Window:
        """The same window with all its padding before the first position."""
        return Window(self.kernel, self.stride, add(self.extent, -1), add(self.extent, -1), self.dilation)

    def output(self, size: Dim, ceil: bool) -> Dim:
        """The number of window positions. With ``ceil`` a last window that would start in the right padding is
        dropped (torch's pooling): the count is then at most that of starts before ``size + before``."""
        out = window_output(size, self.kernel, self.stride, self.padding, self.dilation, ceil)
        if not ceil:
            return out
        return minimum(out, add(floordiv(add(add(size, self.before), -1), self.stride), 1))


@dataclass(frozen=True, slots=True)
class Sliding:
    """How a window moves, as the arguments say: numbers for all axes or one per axis. ``stride`` ``None`` means the
    window; ``padding`` is symmetric, pairs per axis, ``"valid"``, ``"same"`` or ``"causal"``; ``ceil`` rounds up."""

    kernel: Value
    stride: Value = None
    padding: Value = 0
    dilation: Value = 1
    ceil: Value = False

    def windows(self, axes: Layout) -> tuple[Window, ...]:
        """The windows of all spatial axes; sizes that are not known become opaque."""
        spatial = len(axes.spatial)
        kernels = sizes(axes.per_axis(self.kernel), spatial, "kernel_size", 1)
        strides = sizes(axes.per_axis(self.stride), spatial, "stride", 1)
        strides = kernels if self.stride is None or self.stride == () else strides
        dilations = sizes(1 if self.dilation is None else axes.per_axis(self.dilation), spatial, "dilation", 1)
        moving = zip(kernels, strides, _padding(self.padding, spatial), dilations, strict=True)
        return tuple(Window(k, s, before, add(before, after), d) for k, s, (before, after), d in moving)

    def outputs(self, call: Call, x: Shape, axes: Layout) -> tuple[Dim, ...]:
        """The spatial output sizes, with a ``spatial-collapse`` fault for each axis on which no window fits."""
        moving = tuple(zip(axes.spatial, self.windows(axes), strict=True))
        if same(self.padding):
            return tuple(_same_output(x[axis], window) for axis, window in moving)
        if isinstance(self.padding, str) and self.padding.lower() == "causal":
            moving = tuple((axis, window.causal()) for axis, window in moving)
        return tuple(_slide_axis(call, x, axis, window, self.ceil) for axis, window in moving)


def _padding(padding: Value, spatial: int) -> tuple[tuple[Dim, Dim], ...]:
    if isinstance(padding, str):
        return ((0, 0),) * spatial
    if isinstance(padding, tuple) and any(isinstance(p, tuple) for p in padding):
        pairs = [
            sizes(p, 2, "padding")
            for p in (padding[len(padding) - spatial :] if len(padding) >= spatial else (None,) * spatial)
        ]
        return tuple((p[0], p[1]) for p in pairs)
    return tuple((p, p) for p in sizes(padding, spatial, "padding"))


def same(padding: Value) -> bool:
    """Whether a padding argument is ``"same"`` in any spelling."""
    return isinstance(padding, str) and padding.lower() == "same"


def _same_output(size: Dim, window: Window) -> Dim:
    return floordiv(add(add(size, window.stride), -1), window.stride) if is_known(window.stride) else opaque("same", 1)


def _slide_axis(call: Call, x: Shape, axis: int, window: Window, ceil: Value) -> Dim:
    if not window.known or isinstance(ceil, Unknown):
        return opaque("window", 0)
    out = window.output(x[axis], bool(ceil))
    high = bounds(out)[1]
    if high is None or high > 0 or (high == 0 and _is_computed_at_once(call, x)):
        return out
    padded = add(x[axis], window.padding)
    detail = f"the window spans {show(window.extent)} positions, the padded input {show(padded)}"
    call.fault(
        faults.SPATIAL_COLLAPSE,
        operand="kernel_size",
        axis=axis,
        expected=window.extent,
        actual=padded,
        shapes=(x,),
        detail=detail,
    )
    return opaque("collapsed", 1)


def _is_computed_at_once(call: Call, x: Shape) -> bool:
    """Whether a pooling of TensorFlow may be called outside of a graph, where a window that fits nowhere leaves nothing (some
    kernels refuse it). While a graph is built, all do."""
    return call.framework == "tensorflow" and call.kind in ("max_pool", "avg_pool", "extract_patches") and is_axis_list(x)


def unknown_output(x: TensorType, reason: str, dtype: DType | Unknown | None = None) -> TensorType:
    """The result when the axes are not known."""
    shape = x.shape if isinstance(x.shape, Unknown) else Unknown("no-argument", reason)
    return TensorType(shape, x.dtype if dtype is None else dtype)


def layer_dtype(call: Call, x: TensorType, declared: Value, operand: str = "x") -> DType | Unknown:
    """The element type a layer with weights gives, checked against its input's.

    ``declared`` is the weights' type; ``None`` means float32, as layers are built. torch refuses to mix types; Keras and
    TensorFlow's layers cast. Half precision is not refused without a declared type: autocast makes it legal.
    """
    if isinstance(declared, Unknown):
        return declared
    own = declared if isinstance(declared, DType) else FLOAT32
    actual = x.dtype
    if call.framework != "torch" or isinstance(actual, Unknown) or actual == own:
        return own
    if isinstance(x.shape, tuple) and 0 in x.shape:  # no kernel is asked for
        return Unknown("empty", "type of no elements")
    if declared is not None or actual.kind != "float" or actual == FLOAT64:
        shapes = () if isinstance(x.shape, Unknown) else (x.shape,)
        call.fault(faults.DTYPE, operand=operand, expected=own, actual=actual, shapes=shapes)
    return own
