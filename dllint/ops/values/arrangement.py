"""Elements of tensors that are laid out anew, chosen from, put together or filled."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import Final

import numpy as np

from dllint.domains.enclosure import Array, Enclosure, UndeterminedError, chosen, exactly, truth_of
from dllint.ir.values import Value
from dllint.ops.values.indices import positions, replaced, taken
from dllint.ops.values.spec import Axes, ValueCall, values_of


@values_of(
    "view",
    "reshape constant",
    "flatten ravel append batch_flatten",
    "unflatten",
    "ravel",
    "squeeze",
    "unsqueeze expand_dims newaxis",
)
def _reshaped(call: ValueCall, x: Enclosure, **given: Value) -> Enclosure:
    return x.arranged(lambda v: v.reshape(call.shape()))


@values_of("expand", "broadcast_to expand", "expand_as")
def _repeated(call: ValueCall, x: Enclosure, **given: Value) -> Enclosure:
    return x.arranged(lambda v: np.broadcast_to(v, call.shape()))


@values_of("contiguous", "clone copy", "detach stop_gradient")
def _same(call: ValueCall, x: Enclosure) -> Enclosure:
    return x


@values_of(
    "identity asarray ascontiguousarray copy stop_gradient convert_to_tensor check_numerics guarantee_const resolve_conj "
    "resolve_neg retain_grad print_tensor Print"
)
def _copy(call: ValueCall, x: Enclosure, **given: Value) -> Enclosure:
    """Methods that fill their receiver are written as this operation, too."""
    if call.op.spelled.endswith("_"):
        raise UndeterminedError("filled")
    return x


@values_of("from_numpy")
def _taken_over(call: ValueCall, x: Enclosure) -> Enclosure:
    return x


@values_of("t T transpose")
def _turned(call: ValueCall, x: Enclosure) -> Enclosure:
    return x.arranged(np.transpose)


@values_of("transpose swapaxes swapdims mT T", "swapaxes matrix_transpose mT")
def _swapped(call: ValueCall, x: Enclosure, dim0: int, dim1: int) -> Enclosure:
    return x.arranged(lambda v: np.swapaxes(v, dim0, dim1))


@values_of("permute transpose permute_dimensions T")
def _permuted(call: ValueCall, x: Enclosure, dims: Axes = None) -> Enclosure:
    return x.arranged(lambda v: np.transpose(v, dims))


@values_of("flip fliplr flipud")
def _flipped(call: ValueCall, x: Enclosure, dim: Axes = None, dims: Axes = None) -> Enclosure:
    return x.arranged(lambda v: np.flip(v, dims if dim is None else dim))


@values_of("roll")
def _rolled(call: ValueCall, x: Enclosure, shifts: Axes, dim: Axes = None, dims: Axes = None) -> Enclosure:
    axes = dims if dim is None else dim
    steps = 0 if shifts is None else shifts
    return x.arranged(lambda v: np.roll(v, steps, None if axes == () else axes))


@values_of("tile", "repeat")
def _tiled(call: ValueCall, x: Enclosure, repeats: Axes) -> Enclosure:
    """numpy's ``repeat`` repeats every element."""
    if repeats is None or (call.op.kind == "repeat" and call.op.framework == "numpy"):
        raise UndeterminedError("repeat")
    return x.arranged(lambda v: np.tile(v, repeats))


@values_of("repeat_interleave repeat repeat_elements")
def _each_repeated(call: ValueCall, x: Enclosure, repeats: int, dim: int | None = None) -> Enclosure:
    return x.arranged(lambda v: np.repeat(v, repeats, dim))


@values_of("cat concat concatenate append")
def _joined(call: ValueCall, tensors: tuple[Enclosure, ...], dim: int | None = None) -> Enclosure:
    if dim is None and call.op.framework not in ("torch", "numpy"):
        raise UndeterminedError("dim")
    return _together(tensors, lambda parts: np.concatenate(parts, dim or 0))


@values_of("stack")
def _stacked(call: ValueCall, tensors: tuple[Enclosure, ...], dim: int = 0) -> Enclosure:
    return _together(tensors, lambda parts: np.stack(parts, dim))


@values_of("hstack")
def _hstack(call: ValueCall, tensors: tuple[Enclosure, ...]) -> Enclosure:
    return _together(tensors, np.hstack)


@values_of("vstack row_stack")
def _below(call: ValueCall, tensors: tuple[Enclosure, ...]) -> Enclosure:
    return _together(tensors, np.vstack)


def _together(tensors: tuple[Enclosure, ...], join: Callable[[list[Array]], Array]) -> Enclosure:
    return Enclosure(join([part.low for part in tensors]), join([part.high for part in tensors]))


@values_of("split", "chunk", "tensor_split array_split")
def _shares(call: ValueCall, x: Enclosure, dim: int = 0, **given: Value) -> tuple[Enclosure, ...]:
    """As large as the types of the results say."""
    ends = list(accumulate(call.shape(index)[dim] for index in range(len(call.op.outputs))))
    if not ends or ends[-1] != x.shape[dim]:
        raise UndeterminedError("shares")
    pieces = [(start, end) for start, end in zip([0, *ends], ends, strict=False)]
    return tuple(x.arranged(lambda v, a=a, b=b: np.take(v, range(a, b), axis=dim)) for a, b in pieces)  # type: ignore[misc]


@values_of("unbind unstack iteration")
def _each(call: ValueCall, x: Enclosure, dim: int = 0) -> tuple[Enclosure, ...]:
    count = x.shape[dim]
    return tuple(x.arranged(lambda v, k=place: np.take(v, k, axis=dim)) for place in range(count))  # type: ignore[misc]


@values_of("select")
def _selected(call: ValueCall, x: Enclosure, dim: int = 0, index: int = 0) -> Enclosure:
    return x.arranged(lambda v: np.take(v, index, axis=dim))


@values_of("narrow")
def _narrowed(call: ValueCall, x: Enclosure, dim: int, start: int, length: int) -> Enclosure:
    return x.arranged(lambda v: np.take(v, range(start, start + length), axis=dim))


@values_of("getitem")
def _item(call: ValueCall, x: Enclosure, **given: Value) -> Enclosure:
    return x.arranged(lambda v: taken(v, call.places(call.op.args.get("index"))))


@values_of("setitem")
def _assigned(call: ValueCall, x: Enclosure, value: Enclosure, **given: Value) -> Enclosure:
    """The tensor with other elements in some places."""
    place = call.places(call.op.args.get("index"))
    return Enclosure(replaced(x.low, place, value.low), replaced(x.high, place, value.high))


@values_of("take gather")
def _taken(call: ValueCall, x: Enclosure, index: Value, dim: int | None = None) -> Enclosure:
    places = positions(index)
    return x.arranged(lambda v: np.take(v, places, axis=dim))


@values_of("gather", "take_along_dim take_along_axis")
def _gathered(call: ValueCall, x: Enclosure, dim: int, index: Value) -> Enclosure:
    """TensorFlow's ``gather`` takes whole slices."""
    places = positions(index)
    if call.op.framework != "torch" or len(places.shape) != len(x.shape) or (places < 0).any():
        raise UndeterminedError("gather")
    return x.arranged(lambda v: np.take_along_axis(_cropped(v, places.shape, dim), places, dim))


def _cropped(v: Array, shape: tuple[int, ...], dim: int) -> Array:
    axis = range(len(shape))[dim]
    return v[tuple(slice(None) if place == axis else slice(size) for place, size in enumerate(shape))]


@values_of("index_select")
def _rows(call: ValueCall, x: Enclosure, index: Value, dim: int = 0) -> Enclosure:
    return x.arranged(lambda v: np.take(v, positions(index), axis=dim))


_CONSTANT: Final = (None, "constant", "CONSTANT")


@values_of("pad")
def _padded(call: ValueCall, x: Enclosure, pad: Axes, value: float = 0, mode: str | None = None, **given: Value) -> Enclosure:
    """torch counts the axes from the last one on."""
    if mode not in _CONSTANT or call.op.framework != "torch" or not isinstance(pad, tuple):
        raise UndeterminedError("padding")
    pairs = [(pad[place], pad[place + 1]) for place in range(0, len(pad), 2)]
    if any(side < 0 for pair in pairs for side in pair):
        raise UndeterminedError("cropping")
    widths = [(0, 0)] * (len(x.shape) - len(pairs)) + pairs[::-1]
    filled = call.number(value)
    return Enclosure(
        np.pad(x.low, widths, constant_values=float(filled.low)), np.pad(x.high, widths, constant_values=float(filled.high))
    )


@values_of("tril", "triu")
def _triangle(call: ValueCall, x: Enclosure, diagonal: int = 0) -> Enclosure:
    return x.arranged(lambda v: (np.tril if call.op.kind == "tril" else np.triu)(v, diagonal))


@values_of("one_hot")
def _marked(call: ValueCall, x: Enclosure, num_classes: int = -1, dim: int = -1) -> Enclosure:
    count, numbers = call.shape()[-1], x.numbers
    if dim not in (-1, len(x.shape)):
        raise UndeterminedError("axis")
    return exactly(numbers[..., None] == np.arange(count))


@values_of("masked_select", "boolean_mask")
def _picked(call: ValueCall, x: Enclosure, mask: Enclosure) -> Enclosure:
    if mask.shape != x.shape:
        raise UndeterminedError("mask")
    return x.arranged(lambda v: v[truth_of(mask).numbers.astype(bool)])


@values_of("index_fill")
def _filled(call: ValueCall, x: Enclosure, value: Enclosure, dim: int, index: Value) -> Enclosure:
    marks = np.zeros(x.shape[dim])
    marks[positions(index)] = 1
    shape = tuple(-1 if place == range(len(x.shape))[dim] else 1 for place in range(len(x.shape)))
    return chosen(exactly(np.broadcast_to(marks.reshape(shape), x.shape)), value, x)
