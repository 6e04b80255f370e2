"""The numbers of stored tensors, decoded without numpy."""

from __future__ import annotations

import math
import struct
import sys
from array import array
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

from dllint.domains.dtype import BFLOAT16, BOOL, FLOAT16, DType
from dllint.domains.lattice import Unknown
from dllint.domains.shape import TensorType
from dllint.lower.graphs.elements import nested
from dllint.lower.graphs.model import Weight

#: Larger tensors are not kept number by number, and still larger ones are not looked through for their bounds.
_FEW: Final = 1024
_MANY: Final = 16_000_000
_CODES: Final = {
    "float32": "f", "float64": "d", "int32": "i", "uint8": "B", "int16": "h", "int8": "b", "int64": "q", "bool": "B",
    "uint16": "H", "uint32": "I", "uint64": "Q", "bfloat16": "H",
}  # fmt: skip


@dataclass(frozen=True)
class Constant:
    """A stored tensor. ``numbers`` are its elements in row-major order; fewer than the shape says mean that the last one is
    repeated, none that they are not numbers."""

    dtype: DType | Unknown
    shape: tuple[int, ...] | None
    numbers: Sequence[float]

    @property
    def size(self) -> int | None:
        """The number of elements."""
        return None if self.shape is None else math.prod(self.shape)

    @cached_property
    def bounds(self) -> tuple[float, float] | None:
        """The least and the largest element; ``None`` if there is none, one of them is NaN or there are too many."""
        if not self.numbers or self.size == 0 or len(self.numbers) > _MANY:
            return None
        if math.isnan(sum(self.numbers)) and any(map(math.isnan, self.numbers)):
            return None
        return min(self.numbers), max(self.numbers)

    @cached_property
    def data(self) -> Any:
        """Nested tuples of the numbers, ``None`` if they are many or not known."""
        size = self.size
        if size is None or size > _FEW or self.shape is None or (size and not self.numbers):
            return None
        flat = list(self.numbers[:size])
        flat += flat[-1:] * (size - len(flat))
        if self.dtype is BOOL:
            flat = [bool(item) for item in flat]
        return nested(flat, self.shape)


def weight(constant: Constant) -> Weight:
    """A stored tensor as a weight of a graph."""
    shape = Unknown("unresolved-constant", "shape") if constant.shape is None else constant.shape
    low, high = constant.bounds or (None, None)
    return Weight(TensorType(shape, constant.dtype), low, high, constant.data)


def decoded(content: bytes, dtype: DType | Unknown) -> Sequence[float]:
    """The numbers of a tensor that is stored as the bytes of its elements, little-endian; none for other elements."""
    if isinstance(dtype, Unknown):
        return ()
    if dtype is FLOAT16:
        return tuple(number for (number,) in struct.iter_unpack("<e", content[: len(content) // 2 * 2]))
    code = _CODES.get(dtype.name)
    if code is None:
        return ()
    found = array(code)
    found.frombytes(content[: len(content) // found.itemsize * found.itemsize])
    if sys.byteorder == "big":
        found.byteswap()
    return halves(found, dtype) if dtype is BFLOAT16 else found


def halves(patterns: Sequence[int], dtype: DType) -> Sequence[float]:
    """Sixteen-bit numbers from their bit patterns."""
    code, shift = ("<f", 16) if dtype is BFLOAT16 else ("<e", 0)
    width = "<I" if shift else "<H"
    return tuple(struct.unpack(code, struct.pack(width, (pattern & 0xFFFF) << shift))[0] for pattern in patterns)
