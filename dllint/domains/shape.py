"""Shapes and tensor types, and the formulas that many operations share.

``OpenShape`` is a shape of unknown rank whose last size is known: the result of a linear layer or an embedding on an input of
unknown rank. Code that does not ask for the last size treats it as ``Unknown``; two linear layers in a row are still compared.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from dllint.domains.atoms import Compound
from dllint.domains.dim import (
    FALLING,
    Dim,
    DimExpr,
    add,
    bounds,
    counted,
    differs,
    equal,
    floordiv,
    is_known,
    maximum,
    may_fall,
    mul,
    product,
    same,
    show,
)
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.domains.unsolved import unsolved

#: The most axes that are followed. NumPy's arrays have at most 64, which it says of a 65th (NumPy 2).
MOST_AXES: Final = 64
Shape = tuple[Dim, ...]


@dataclass(frozen=True, slots=True, eq=False)
class OpenShape(Unknown):
    """A shape of unknown rank whose last size is known: what a fully connected layer or an embedding leaves when the
    rank of its input is not known. To everything that does not ask for the last size it is Unknown."""

    last: Dim = 0


@dataclass(frozen=True, slots=True, eq=False)
class DemandedShape(OpenShape):
    """An open shape whose last size is the one without which an operation that took the tensor would have raised."""


@dataclass(frozen=True, slots=True)
class TensorType:
    """What is known about a tensor: shape, element type and memory layout.

    ``shape`` is Unknown when the rank is unknown; an unknown size inside a known rank is an opaque symbol.
    ``strides`` are in elements; ``None`` means contiguous (row-major) or not tracked by the framework.
    """

    shape: Shape | Unknown
    dtype: DType | Unknown
    strides: tuple[Dim, ...] | Unknown | None = None

    @property
    def rank(self) -> int | None:
        """Number of axes, or ``None`` if unknown."""
        return None if isinstance(self.shape, Unknown) else len(self.shape)

    def with_shape(self, shape: Shape | Unknown) -> TensorType:
        """The same element type with another shape, contiguous."""
        return TensorType(shape, self.dtype)

    def with_dtype(self, dtype: DType | Unknown) -> TensorType:
        """The same shape and layout with another element type."""
        return replace(self, dtype=dtype)

    def __repr__(self) -> str:
        return show_type(self)


_SHORT = {"float": "f", "int": "i", "complex": "c", "bool": "bool", "string": "str"}


def show_dtype(dtype: DType | Unknown) -> str:
    """A short name: ``f32``, ``i64``, ``u8``, ``bf16``, ``bool``, ``?``."""
    if isinstance(dtype, Unknown):
        return "?"
    if dtype.kind in ("bool", "string"):
        return _SHORT[dtype.kind]
    prefix = "bf" if dtype.name == "bfloat16" else "u" if not dtype.signed else _SHORT[dtype.kind]
    return f"{prefix}{dtype.bits}"


def show_shape(shape: Shape | Unknown) -> str:
    """``(B, 3, 224, 224)``; an unknown rank is ``(...)``."""
    if isinstance(shape, OpenShape):
        return f"(..., {show(shape.last)})"
    if isinstance(shape, Unknown):
        return "(...)"
    return f"({', '.join(map(show, shape))}{',' if len(shape) == 1 else ''})"


def show_type(type_: TensorType) -> str:
    """``f32[B, 10]``, the form used by the IR printer and by hovers."""
    return f"{show_dtype(type_.dtype)}[{show_shape(type_.shape)[1:-1].removesuffix(',')}]"


def shape_known(shape: Shape | Unknown) -> bool:
    """Whether rank and all sizes are known up to the entry's inputs and parameters."""
    return not isinstance(shape, Unknown) and all(map(is_known, shape))


def last_size(shape: Shape | Unknown) -> Dim | None:
    """The size of the last axis, ``None`` if it is not known or there is none."""
    if isinstance(shape, OpenShape):
        return shape.last
    return None if isinstance(shape, Unknown) or not shape else shape[-1]


def numel(shape: Shape) -> Dim:
    """Number of elements; 1 for a scalar."""
    return product(shape)


def contiguous_strides(shape: Shape) -> tuple[Dim, ...]:
    """Row-major strides in elements."""
    out: list[Dim] = []
    step: Dim = 1
    for size in reversed(shape):
        out.insert(0, step)
        step = mul(step, size)
    return tuple(out)


def normalize_axis(axis: int, rank: int) -> int | None:
    """A non-negative axis, or ``None`` if it lies outside ``[-rank, rank)``. A rank-0 tensor accepts 0 and -1."""
    room = max(rank, 1)
    return axis % room if -room <= axis < room else None


@dataclass(frozen=True, slots=True, eq=False)
class OpenSequence(Unknown):
    """A sequence of tensors or numbers, ``fewest`` or more, all of them of the type ``element``: what a loop of unknown length
    has put together. To everything that does not ask for the element it is Unknown."""

    element: TensorType = TensorType((), Unknown("element"))
    fewest: int = 0
    #: The tensors that stand for its elements, where the program has them.
    parts: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class Conflict:
    """Two sizes that provably differ on one axis (counted from the end, -1 is the last)."""

    axis: int
    left: Dim
    right: Dim


def broadcast(shapes: Sequence[Shape]) -> tuple[Shape, Conflict | None]:
    """The broadcast shape by numpy's rule, and the first provable conflict.

    A symbol against a constant other than 1 gives the constant (the symbol must be it, or 1, for the program to run);
    two undecided symbols give a fresh size. In a conflict the first operand's size is kept, so that one fault does
    not cascade.
    """
    rank = max(map(len, shapes), default=0)
    out: list[Dim] = []
    conflict: Conflict | None = None
    for back in range(-rank, 0):
        size: Dim = 1
        for shape in shapes:
            if -back <= len(shape):
                merged = _broadcast_dim(size, shape[back])
                if merged is None:
                    conflict = conflict or Conflict(back, size, shape[back])
                else:
                    size = merged
        out.append(size)
    return tuple(out), conflict


def _broadcast_dim(a: Dim, b: Dim) -> Dim | None:
    if isinstance(a, int) and a == 1:
        return b
    if (isinstance(b, int) and b == 1) or same(a, b):
        return a
    if differs(a, b) and not may_be_one(a) and not may_be_one(b):
        return None
    if _is_minimum_with(a, b) or _is_minimum_with(b, a):
        return b if _is_minimum_with(a, b) else a
    if isinstance(a, int):
        return a
    if isinstance(b, int):
        return b
    if not may_be_one(a) and may_be_one(b):
        return a
    if not may_be_one(b) and may_be_one(a):
        return b
    if (bounds(a)[0] or 0) >= 1 and (bounds(b)[0] or 0) >= 1:  # equal, or one of them is 1, if the program runs
        return maximum(a, b)
    return unsolved("broadcast", (a, b))


def _is_minimum_with(a: Dim, b: Dim) -> bool:
    """Whether ``a`` is a minimum of which ``b`` is one side, and so never larger."""
    atom = a.terms[0][0][0][0] if isinstance(a, DimExpr) and a.is_symbol else None
    return isinstance(atom, Compound) and atom.kind == "min" and b in (atom.left, atom.right)


def may_be_one(dim: Dim) -> bool:
    """Whether a size is not proved different from 1."""
    return equal(dim, 1) is not False


def window_output(size: Dim, kernel: Dim, stride: Dim, padding: Dim, dilation: Dim = 1, ceil: bool = False) -> Dim:
    """Output size of a convolution or pooling along one axis; ``padding`` is the sum of both sides.

    ``(size + padding - dilation·(kernel-1) - 1) // stride + 1`` (torch.nn.Conv2d, MaxPool2d). With ``ceil`` the
    division rounds up and a last window that would start in the right padding is dropped (the caller does that).
    """
    room = add(add(size, padding), mul(add(mul(dilation, add(kernel, -1)), 1), -1))
    return add(floordiv(add(room, add(stride, -1)) if ceil else room, stride), 1)


def transposed_output(size: Dim, kernel: Dim, stride: Dim, padding: Dim, dilation: Dim = 1, output_padding: Dim = 0) -> Dim:
    """Output size of a transposed convolution along one axis; ``padding`` is the sum of both sides."""
    return total_of(mul(add(size, -1), stride), mul(padding, -1), mul(dilation, add(kernel, -1)), output_padding, 1)


def total_of(*dims: Dim) -> Dim:
    """The sum of the arguments."""
    out: Dim = 0
    for dim in dims:
        out = add(out, dim)
    return out


def join_shapes(a: Shape | Unknown, b: Shape | Unknown) -> Shape | Unknown:
    """The least upper bound: equal sizes stay, of different ones the run has one, different ranks become Unknown."""
    if isinstance(a, Unknown) or isinstance(b, Unknown):
        return _join_open(a, b)
    if len(a) != len(b):
        return Unknown("joined-branches", f"rank {len(a)} or {len(b)}")
    return tuple(join_dims(x, y, 0) for x, y in zip(a, b, strict=True))


def join_dims(a: Dim, b: Dim, least: int = FALLING) -> Dim:
    """Equal sizes stay. Of two of one name that inputs or data decide (the batches of two loaders) comes another one of that
    name; of others the run decides which one it is. ``least``: where one of them may fall below zero, the join is not below
    this."""
    if same(a, b):
        return a
    lows = [low for low in (bounds(a)[0], bounds(b)[0]) if low is not None]
    low = least if may_fall(a) or may_fall(b) else max(0, min(lows)) if len(lows) == 2 else 0
    alike = is_known(a) and is_known(b) and str(a) == str(b)
    return counted(str(a), low) if alike else unsolved("joined", (a, b), low)


def _join_open(a: Shape | Unknown, b: Shape | Unknown) -> Unknown:
    left, right = last_size(a), last_size(b)
    plain = next((s for s in (a, b) if isinstance(s, Unknown) and not isinstance(s, OpenShape)), None)
    if plain is not None:
        return plain
    if left is None or right is None or not same(left, right):
        return Unknown("joined-branches", "last size")
    return OpenShape("unknown-rank", "joined", left)


def join_types(a: TensorType, b: TensorType) -> TensorType:
    """The least upper bound of two tensor types."""
    if a is b or a == b:
        return a
    dtype = _join_dtypes(a.dtype, b.dtype)
    strides = a.strides if a.strides == b.strides else Unknown("joined-branches", "strides")
    return TensorType(join_shapes(a.shape, b.shape), dtype, strides)


def _join_dtypes(a: DType | Unknown, b: DType | Unknown) -> DType | Unknown:
    """An unknown one stays as it is: naming it in a new reason would make reasons grow with every join."""
    unknown = next((dtype for dtype in (a, b) if isinstance(dtype, Unknown)), None)
    if unknown is not None:
        return unknown
    return a if a == b else Unknown("joined-branches", f"{a} or {b}")
