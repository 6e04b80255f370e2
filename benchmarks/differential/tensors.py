"""Tensors to be made by a program: their type, layout and elements, and the expressions that make them."""

from __future__ import annotations

import math
import random
from dataclasses import dataclass, replace
from typing import Final, Literal

Fill = Literal["literal", "uniform", "normal", "whole", "constant", "eye", "range", "positive"]
Layout = Literal["plain", "permuted", "strided", "expanded"]

FLOATS: Final = ("float32", "float64", "float16", "bfloat16")
WHOLES: Final = ("int64", "int32", "int16", "int8", "uint8")
COMPLEX: Final = ("complex64", "complex128")
TYPES: Final = (*FLOATS, *WHOLES, "bool", *COMPLEX)
#: Types by how often they are met.
SHORT_TYPES: Final = ("float32", "float64", "int64", "int32", "float16", "bfloat16", "uint8", "bool", "int8", "complex64")
#: Elements are written out if there are no more.
_LITERAL: Final = 48


@dataclass(frozen=True, slots=True)
class Tensor:
    """A tensor as a program is to make it. ``low`` and ``high`` limit elements that are drawn (``high`` is not drawn), ``low``
    is what a constant holds, ``data`` has the elements of a literal in a row; ``axes`` are those of a permuted layout."""

    shape: tuple[int, ...]
    dtype: str = "float32"
    fill: Fill = "uniform"
    low: float = 0.0
    high: float = 1.0
    data: tuple[float | bool | complex, ...] = ()
    layout: Layout = "plain"
    axes: tuple[int, ...] = ()

    @property
    def count(self) -> int:
        """The number of elements."""
        return math.prod(self.shape)

    def resized(self, shape: tuple[int, ...], source: random.Random) -> Tensor:
        """Another shape; a literal gets as many elements as it needs, of those it had."""
        axes = self.axes if len(shape) == len(self.axes) else tuple(reversed(range(len(shape))))
        out = replace(self, shape=shape, axes=axes)
        if self.fill == "literal" and out.count > _LITERAL:
            out = replace(out, fill="whole" if self.dtype in WHOLES else "uniform", data=())
        elif self.fill == "literal":
            out = replace(out, data=tuple(source.choice(self.data or (0,)) for _ in range(out.count)))
        if self.fill == "eye" and (len(shape) < 2 or shape[-1] != shape[-2]):
            out = replace(out, fill="uniform")
        return out if not (self.layout == "expanded" and not shape) else replace(out, layout="plain")

    def typed(self, dtype: str) -> Tensor:
        """Another element type; the elements become such as it has."""
        if dtype in FLOATS + COMPLEX:
            made = replace(self, dtype=dtype)
            return replace(made, fill="uniform") if self.fill == "whole" and self.dtype in WHOLES else made
        data = tuple(_whole(number, dtype) for number in self.data)
        low = min(max(int(self.low), 0), 5)
        high = min(max(int(self.high), low + 2), 9)
        fill = self.fill if self.fill in ("literal", "constant", "eye", "range") else "whole"
        return replace(self, dtype=dtype, fill=fill, data=data, low=low, high=high)


def _whole(number: complex, dtype: str) -> int | bool:
    found = number.real if isinstance(number, complex) else number
    if not math.isfinite(found):
        return 0
    return bool(found) if dtype == "bool" else min(max(int(found), 0 if dtype == "uint8" else -100), 100)


def nested(data: tuple[object, ...], shape: tuple[int, ...]) -> str:
    """Elements in a row as a nested list."""
    if not shape:
        return written(data[0]) if data else "0"
    step = math.prod(shape[1:])
    return f"[{', '.join(nested(data[n * step : (n + 1) * step], shape[1:]) for n in range(shape[0]))}]"


def written(number: object) -> str:
    """A number as source text."""
    if isinstance(number, float) and not math.isfinite(number):
        return f"float('{number}')"
    return repr(number)


def torch_text(tensor: Tensor) -> str:
    """The expression that makes a tensor of torch."""
    if tensor.layout == "permuted" and len(tensor.shape) >= 2:
        order = sorted(range(len(tensor.axes)), key=tensor.axes.__getitem__)
        base = replace(tensor, layout="plain", shape=tuple(tensor.shape[a] for a in order))
        if len(order) == 2:
            return f"{_torch_plain(base)}.t()"
        return f"{_torch_plain(base)}.permute({', '.join(map(str, tensor.axes))})"
    if tensor.layout == "strided" and tensor.shape and tensor.shape[-1]:
        base = tensor.resized((*tensor.shape[:-1], tensor.shape[-1] * 2), random.Random(tensor.count))
        return f"{_torch_plain(replace(base, layout='plain'))}[..., ::2]"
    if tensor.layout == "expanded" and tensor.shape:
        base = tensor.resized((1, *tensor.shape[1:]), random.Random(tensor.count))
        return f"{_torch_plain(replace(base, layout='plain'))}.expand{tensor.shape}"
    return _torch_plain(tensor)


def _torch_plain(tensor: Tensor) -> str:
    shape, typed = tensor.shape, f"dtype=torch.{tensor.dtype}"
    if tensor.fill == "literal":
        data = f"torch.tensor({nested(tensor.data, shape)}, {typed})"
        return data if tensor.count else f"torch.zeros({shape}, {typed})"
    if tensor.fill == "constant" or not tensor.count:
        return f"torch.full({shape}, {_of_type(tensor.low, tensor.dtype)}, {typed})"
    if tensor.fill == "eye":
        eye = f"torch.eye({shape[-1]}, {typed})"
        return f"{eye}.repeat{(*shape[:-2], 1, 1)}" if len(shape) > 2 else eye
    if tensor.fill == "range":
        made = f"torch.arange({tensor.count}, {typed})" if tensor.dtype != "bool" else f"(torch.arange({tensor.count}) > 1)"
        return made if len(shape) == 1 else f"{made}.reshape({shape})"
    return _torch_drawn(tensor, f"{shape}, {typed}")


def _torch_drawn(tensor: Tensor, arguments: str) -> str:
    if tensor.dtype == "bool":
        return f"(torch.rand({tensor.shape}) > 0.5)"
    if tensor.dtype in WHOLES:
        return f"torch.randint({int(tensor.low)}, {int(tensor.high)}, {arguments})"
    if tensor.fill == "normal" or tensor.dtype in COMPLEX:
        return f"torch.randn({arguments})"
    if (tensor.low, tensor.high) == (0, 1):
        return f"torch.rand({arguments})"
    return f"(torch.rand({arguments}) * {tensor.high - tensor.low:g} + {tensor.low:g})"


def _of_type(number: float, dtype: str) -> object:
    if dtype == "bool":
        return bool(number)
    return int(number) if dtype in WHOLES else number


def numpy_text(tensor: Tensor) -> str:
    """The expression that makes an array."""
    if tensor.layout == "permuted" and len(tensor.shape) >= 2:
        base = replace(tensor, layout="plain", shape=tuple(reversed(tensor.shape)))
        return f"np.transpose({_numpy_plain(base)})"
    if tensor.layout == "strided" and tensor.shape and tensor.shape[-1]:
        base = tensor.resized((*tensor.shape[:-1], tensor.shape[-1] * 2), random.Random(tensor.count))
        return f"{_numpy_plain(replace(base, layout='plain'))}[..., ::2]"
    return _numpy_plain(tensor)


def _numpy_plain(tensor: Tensor) -> str:
    shape, dtype = tensor.shape, "float32" if tensor.dtype == "bfloat16" else tensor.dtype
    typed = f"dtype=np.{'bool_' if dtype == 'bool' else dtype}"
    if tensor.fill == "literal" and tensor.count:
        return f"np.array({nested(tensor.data, shape)}, {typed})"
    if tensor.fill == "constant" or not tensor.count:
        return f"np.full({shape}, {_of_type(tensor.low, dtype)}, {typed})"
    if tensor.fill == "eye" and len(shape) == 2:
        return f"np.eye({shape[-1]}, {typed})"
    if tensor.fill == "range" and dtype != "bool":
        return f"np.arange({tensor.count}, {typed}).reshape({shape})"
    if dtype == "bool":
        return f"(np.random.rand{shape} > 0.5)" if shape else "np.array(True)"
    if dtype in WHOLES:
        return f"np.random.randint({int(tensor.low)}, {int(tensor.high)}, {shape}).astype(np.{dtype})"
    drawn = f"np.random.{'randn' if tensor.fill == 'normal' else 'rand'}{shape}" if shape else "np.array(0.5)"
    return drawn if dtype == "float64" else f"{drawn}.astype(np.{dtype})"


def tensorflow_text(tensor: Tensor) -> str:
    """The expression that makes a tensor of TensorFlow."""
    shape, typed = tensor.shape, f"dtype=tf.{tensor.dtype}"
    if tensor.fill == "literal" and tensor.count:
        return f"tf.constant({nested(tensor.data, shape)}, {typed})"
    if tensor.fill == "constant" or not tensor.count or tensor.dtype == "bool":
        return f"tf.constant({_of_type(tensor.low, tensor.dtype)}, {typed}, shape={shape})"
    if tensor.fill == "eye":
        return f"tf.eye({shape[-1]}, batch_shape={shape[:-2]}, {typed})"
    if tensor.fill == "range" or tensor.dtype in WHOLES + COMPLEX:
        return f"tf.cast(tf.reshape(tf.range({tensor.count}), {shape}), tf.{tensor.dtype})"
    if tensor.fill == "normal":
        return f"tf.random.normal({shape}, {typed})"
    return f"tf.random.uniform({shape}, {tensor.low:g}, {tensor.high:g}, {typed})"


def keras_text(tensor: Tensor) -> str:
    """The expression that makes a tensor of Keras's backend."""
    shape, dtype = tensor.shape, tensor.dtype if tensor.dtype not in COMPLEX else "float32"
    typed = f"dtype={dtype!r}"
    if tensor.fill == "literal" and tensor.count:
        return f"keras.ops.convert_to_tensor({nested(tensor.data, shape)}, {typed})"
    if tensor.fill == "constant" or not tensor.count or dtype == "bool":
        return f"keras.ops.full({shape}, {_of_type(tensor.low, dtype)}, {typed})"
    if tensor.fill == "eye" and len(shape) == 2:
        return f"keras.ops.eye({shape[-1]}, {typed})"
    if tensor.fill == "range" or dtype in WHOLES:
        return f"keras.ops.reshape(keras.ops.arange({tensor.count}, {typed}), {shape})"
    drawn = "normal" if tensor.fill == "normal" else "uniform"
    return f"keras.random.{drawn}({shape}, {typed})"
