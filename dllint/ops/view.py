"""The memory layout of tensors of torch and arrays: strides in elements, and whether a view of a shape exists.

``TensorType.strides`` is ``None`` for row-major order, Unknown if the layout is not known. Only torch asks for layouts; arrays
have them because a tensor that is made of an array is laid out as it is. For the other frameworks everything here is ``None``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from dllint.domains.atoms import Symbol
from dllint.domains.dim import Dim, DimExpr, exceeds, is_known, mul, same, symbols
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape, TensorType, contiguous_strides
from dllint.domains.substitution import substitute

Strides = tuple[Dim, ...] | Unknown | None
#: The frameworks whose tensors have layouts.
LAID_OUT: Final = frozenset({"torch", "numpy"})
#: Sizes put in for symbols when a layout is tried out: large and without common factors, so that nothing fits by chance.
_SAMPLES = ((101, 103, 107, 109, 113, 127, 131, 137), (211, 199, 197, 193, 191, 181, 179, 173))


def layout(x: TensorType) -> tuple[Dim, ...] | Unknown:
    """The strides of ``x``, written out."""
    if isinstance(x.shape, Unknown):
        return x.shape
    return contiguous_strides(x.shape) if x.strides is None else x.strides


def laid_out(x: TensorType, shape: Shape | Unknown, strides: Strides) -> TensorType:
    """The elements of ``x`` seen with another shape and strides; ``None`` if these are row-major."""
    if not isinstance(shape, Unknown) and isinstance(strides, tuple) and is_contiguous(shape, strides):
        return TensorType(shape, x.dtype)
    return TensorType(shape, x.dtype, strides)


def anew(x: TensorType, shape: Shape | Unknown) -> TensorType:
    """The elements of ``x`` with another shape of which it is not known how it lies in memory, but for row by row if ``x``
    does."""
    return TensorType(shape, x.dtype, None if x.strides is None else Unknown("layout", "view or copy"))


def is_contiguous(shape: Shape, strides: Sequence[Dim]) -> bool:
    """Whether strides are provably row-major; the stride of an axis of size 1 does not matter."""
    wanted = contiguous_strides(shape)
    return all((isinstance(n, int) and n == 1) or same(a, b) for n, a, b in zip(shape, strides, wanted, strict=True))


def elementwise_layout(x: TensorType) -> Strides:
    """The layout of a new tensor computed from ``x``: kept if ``x`` is a dense permutation, else not known."""
    if x.strides is None or isinstance(x.strides, Unknown) or isinstance(x.shape, Unknown):
        return x.strides
    return x.strides if _is_permutation(x.shape, x.strides) else Unknown("layout", "not dense")


def _is_permutation(shape: Shape, strides: Sequence[Dim]) -> bool:
    left = [(n, s) for n, s in zip(shape, strides, strict=True) if n != 1]
    step: Dim = 1
    while left:
        found = next((pair for pair in left if same(pair[1], step)), None)
        if found is None:
            return False
        left.remove(found)
        step = mul(step, found[0])
    return True


def view_strides(shape: Shape, strides: Sequence[Dim], target: Shape) -> tuple[Dim, ...] | None:
    """The strides with which a tensor can be seen as ``target``, or ``None`` if that is not proved possible.

    Both shapes are walked from the right: runs of axes that are adjacent in memory must be covered exactly by runs of
    target axes (``at::detail::computeStride`` decides the same).
    """
    out: list[Dim] = [0] * len(target)
    at = len(target) - 1
    for size, step in _runs(shape, strides):
        covered: Dim = 1
        while at >= 0 and (not same(covered, size) or (isinstance(target[at], int) and target[at] == 1)):
            out[at] = mul(covered, step)
            covered = mul(covered, target[at])
            at -= 1
            if not isinstance(covered, int) and exceeds(covered, size):
                return None
        if not same(covered, size):
            return None
    return tuple(out) if at < 0 else None


def _runs(shape: Shape, strides: Sequence[Dim]) -> list[tuple[Dim, Dim]]:
    """Runs of axes adjacent in memory, from the right: (number of elements, step)."""
    runs: list[tuple[Dim, Dim]] = []
    for size, stride in reversed(list(zip(shape, strides, strict=True))):
        if isinstance(size, int) and size == 1:
            continue
        if runs and same(mul(*runs[-1]), stride):
            runs[-1] = (mul(runs[-1][0], size), runs[-1][1])
        else:
            runs.append((size, stride))
    return runs or [(1, 1)]


def view_impossible(shape: Shape, strides: Sequence[Dim], target: Shape) -> bool:
    """Whether no view exists for sizes in general: symbols are tried with large unrelated sizes, because sizes like 1
    make every layout viewable. A size that is not known decides nothing. A first axis that is written as 1 says that the
    batch has one element."""
    one = shape[0].symbol if shape and isinstance(shape[0], DimExpr) and target and target[0] == 1 else None
    if one is not None:
        shape, strides, target = (tuple(substitute(d, {one: 1}) for d in dims) for dims in (shape, strides, target))
    dims = (*shape, *strides, *target)
    if not all(map(is_known, dims)) or 0 in shape:
        return False
    names = sorted(frozenset().union(*map(symbols, dims)), key=lambda s: s.id)
    if len(names) > len(_SAMPLES[0]):
        return False
    return all(_sample_impossible(dims, len(shape), dict(zip(names, sample, strict=False))) for sample in _SAMPLES)


def _sample_impossible(dims: tuple[Dim, ...], rank: int, values: dict[Symbol, Dim]) -> bool:
    numbers = tuple(substitute(d, values) for d in dims)
    shape, strides, target = numbers[:rank], numbers[rank : 2 * rank], numbers[2 * rank :]
    if not all(isinstance(n, int) for n in numbers) or _count(shape) != _count(target):
        return False
    return view_strides(shape, strides, target) is None


def _count(shape: Shape) -> Dim:
    out: Dim = 1
    for size in shape:
        out = mul(out, size)
    return out
