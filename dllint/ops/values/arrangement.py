"""Elements of tensors that are laid out anew, chosen from, put together or filled."""

from __future__ import annotations

from collections.abc import Callable
from itertools import accumulate
from typing import Any, Final

import numpy as np

from dllint.domains.enclosure import Array, Enclosure, UndeterminedError, chosen, exactly, truth_of
from dllint.ops.values.spec import ValueCall, values_of


@values_of("view", "reshape", "flatten", "unflatten", "ravel", "squeeze", "unsqueeze")
def _reshaped(call: ValueCall, x: Enclosure, **given: Any) -> Enclosure:
    return x.arranged(lambda v: v.reshape(call.shape()))


@values_of("expand", "broadcast_to", "expand_as")
def _repeated(call: ValueCall, x: Enclosure, **given: Any) -> Enclosure:
    return x.arranged(lambda v: np.broadcast_to(v, call.shape()))


@values_of("contiguous", "clone", "detach")
def _same(call: ValueCall, x: Enclosure) -> Enclosure:
    return x


@values_of("identity")
def _copy(call: ValueCall, x: Enclosure, **given: Any) -> Enclosure:
    """Methods that fill their receiver are written as this operation, too."""
    if call.op.spelled.endswith("_"):
        raise UndeterminedError("filled")
    return x


@values_of("from_numpy")
def _taken_over(call: ValueCall, x: Enclosure) -> Enclosure:
    return x


@values_of("t")
def _turned(call: ValueCall, x: Enclosure) -> Enclosure:
    return x.arranged(np.transpose)


@values_of("transpose", "swapaxes")
def _swapped(call: ValueCall, x: Enclosure, dim0: Any = None, dim1: Any = None) -> Enclosure:
    if type(dim0) is not int or type(dim1) is not int:
        raise UndeterminedError("dim")
    return x.arranged(lambda v: np.swapaxes(v, dim0, dim1))


@values_of("permute")
def _permuted(call: ValueCall, x: Enclosure, dims: Any = None) -> Enclosure:
    return x.arranged(lambda v: np.transpose(v, dims))


@values_of("flip")
def _flipped(call: ValueCall, x: Enclosure, dim: Any = None, dims: Any = None) -> Enclosure:
    return x.arranged(lambda v: np.flip(v, dims if dim is None else dim))


@values_of("roll")
def _rolled(call: ValueCall, x: Enclosure, shifts: Any = None, dim: Any = None, dims: Any = None) -> Enclosure:
    axes = dims if dim is None else dim
    return x.arranged(lambda v: np.roll(v, shifts, None if axes == () else axes))


@values_of("tile", "repeat")
def _tiled(call: ValueCall, x: Enclosure, repeats: Any = None) -> Enclosure:
    """numpy's ``repeat`` repeats every element."""
    if call.op.kind == "repeat" and call.op.framework == "numpy":
        raise UndeterminedError("repeat")
    return x.arranged(lambda v: np.tile(v, repeats))


@values_of("repeat_interleave")
def _each_repeated(call: ValueCall, x: Enclosure, repeats: Any = None, dim: Any = None) -> Enclosure:
    if type(repeats) is not int:
        raise UndeterminedError("repeats")
    return x.arranged(lambda v: np.repeat(v, repeats, dim))


@values_of("cat")
def _joined(call: ValueCall, tensors: tuple[Enclosure, ...], dim: Any = None) -> Enclosure:
    axis = 0 if dim is None and call.op.framework in ("torch", "numpy") else dim
    return _together(tensors, lambda parts: np.concatenate(parts, axis))


@values_of("stack")
def _stacked(call: ValueCall, tensors: tuple[Enclosure, ...], dim: Any = 0) -> Enclosure:
    return _together(tensors, lambda parts: np.stack(parts, dim))


@values_of("hstack")
def _beside(call: ValueCall, tensors: tuple[Enclosure, ...]) -> Enclosure:
    return _together(tensors, np.hstack)


@values_of("vstack")
def _below(call: ValueCall, tensors: tuple[Enclosure, ...]) -> Enclosure:
    return _together(tensors, np.vstack)


def _together(tensors: tuple[Enclosure, ...], join: Callable[[list[Array]], Array]) -> Enclosure:
    return Enclosure(join([part.low for part in tensors]), join([part.high for part in tensors]))


@values_of("split", "chunk", "tensor_split")
def _shares(call: ValueCall, x: Enclosure, dim: Any = 0, **given: Any) -> tuple[Enclosure, ...]:
    """As large as the types of the results say."""
    ends = list(accumulate(call.shape(index)[dim] for index in range(len(call.op.outputs))))
    if not ends or ends[-1] != x.shape[dim]:
        raise UndeterminedError("shares")
    pieces = [(start, end) for start, end in zip([0, *ends], ends, strict=False)]
    return tuple(x.arranged(lambda v, a=a, b=b: np.take(v, range(a, b), axis=dim)) for a, b in pieces)  # type: ignore[misc]


@values_of("unbind")
def _each(call: ValueCall, x: Enclosure, dim: Any = 0) -> tuple[Enclosure, ...]:
    count = x.shape[dim]
    return tuple(x.arranged(lambda v, k=place: np.take(v, k, axis=dim)) for place in range(count))  # type: ignore[misc]


@values_of("select")
def _selected(call: ValueCall, x: Enclosure, dim: Any = 0, index: Any = 0) -> Enclosure:
    return x.arranged(lambda v: np.take(v, index, axis=dim))


@values_of("narrow")
def _narrowed(call: ValueCall, x: Enclosure, dim: Any = 0, start: Any = 0, length: Any = 0) -> Enclosure:
    return x.arranged(lambda v: np.take(v, range(start, start + length), axis=dim))


@values_of("getitem")
def _item(call: ValueCall, x: Enclosure, **given: Any) -> Enclosure:
    place = call.places(call.op.args.get("index"))
    return x.arranged(lambda v: v[place])


@values_of("setitem")
def _assigned(call: ValueCall, x: Enclosure, value: Enclosure, **given: Any) -> Enclosure:
    """The tensor with other elements in some places."""
    place = call.places(call.op.args.get("index"))
    low, high = x.low.copy(), x.high.copy()
    low[place], high[place] = value.low, value.high
    return Enclosure(low, high)


@values_of("take")
def _taken(call: ValueCall, x: Enclosure, index: Any = None, dim: Any = None) -> Enclosure:
    places = index.numbers.astype(np.int64) if isinstance(index, Enclosure) else index
    return x.arranged(lambda v: np.take(v, places, axis=dim))


@values_of("gather", "take_along_dim")
def _gathered(call: ValueCall, x: Enclosure, dim: Any = None, index: Any = None) -> Enclosure:
    """TensorFlow's ``gather`` takes whole slices."""
    places = index.numbers.astype(np.int64)
    if call.op.framework != "torch" or len(places.shape) != len(x.shape) or (places < 0).any():
        raise UndeterminedError("gather")
    return x.arranged(lambda v: np.take_along_axis(_cropped(v, places.shape, dim), places, dim))


def _cropped(v: Array, shape: tuple[int, ...], dim: int) -> Array:
    axis = range(len(shape))[dim]
    return v[tuple(slice(None) if place == axis else slice(size) for place, size in enumerate(shape))]


@values_of("index_select")
def _rows(call: ValueCall, x: Enclosure, index: Any = None, dim: Any = 0) -> Enclosure:
    return x.arranged(lambda v: np.take(v, index.numbers.astype(np.int64), axis=dim))


_CONSTANT: Final = (None, "constant", "CONSTANT")


@values_of("pad")
def _padded(call: ValueCall, x: Enclosure, pad: Any = None, value: Any = 0, mode: Any = None, spatial: Any = None) -> Enclosure:
    """torch counts the axes from the last one on."""
    if mode not in _CONSTANT or call.op.framework != "torch" or isinstance(value, Enclosure) or not isinstance(pad, tuple):
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
def _triangle(call: ValueCall, x: Enclosure, diagonal: Any = 0) -> Enclosure:
    return x.arranged(lambda v: (np.tril if call.op.kind == "tril" else np.triu)(v, diagonal))


@values_of("one_hot")
def _marked(call: ValueCall, x: Enclosure, num_classes: Any = -1, dim: Any = -1) -> Enclosure:
    count, numbers = call.shape()[-1], x.numbers
    if dim not in (-1, len(x.shape)):
        raise UndeterminedError("axis")
    return exactly(numbers[..., None] == np.arange(count))


@values_of("masked_select", "boolean_mask")
def _picked(call: ValueCall, x: Enclosure, mask: Enclosure, dim: Any = None) -> Enclosure:
    if mask.shape != x.shape:
        raise UndeterminedError("mask")
    return x.arranged(lambda v: v[truth_of(mask).numbers.astype(bool)])


@values_of("index_fill")
def _filled(call: ValueCall, x: Enclosure, value: Enclosure, dim: Any = 0, index: Any = None) -> Enclosure:
    marks = np.zeros(x.shape[dim])
    marks[index.numbers.astype(np.int64)] = 1
    shape = tuple(-1 if place == range(len(x.shape))[dim] else 1 for place in range(len(x.shape)))
    return chosen(exactly(np.broadcast_to(marks.reshape(shape), x.shape)), value, x)
