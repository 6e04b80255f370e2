"""Relations between parameters without which a model does not run: ``hidden == width``, ``dim % heads == 0``.

A model whose sizes are parameters of its constructor is traced once for all of them. Two sizes that have to agree and are
different expressions of parameters, a number of channels that has to be a multiple of a number of groups or heads, and a
reshape that keeps the number of elements for some sizes only, are what the caller has to see to. Sizes of inputs, which nobody
chooses by building the model, and code under a condition, which may compare the sizes, say nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from dllint.analysis.meeting_sizes import Meeting, meetings
from dllint.domains.agreement import never_agree
from dllint.domains.atoms import Compound
from dllint.domains.dim import (
    Dim,
    DimExpr,
    equal,
    exact_quotient,
    floordiv,
    mod,
    mul,
    of_atom,
    product,
    same,
    show,
    symbols,
    weight,
)
from dllint.domains.lattice import Unknown
from dllint.ir.program import Event, Op, TensorVal
from dllint.ops.checks import Divisible
from dllint.ops.kinds import does
from dllint.ops.layers import layer
from dllint.ops.sizes import is_dim
from dllint.ops.traits import Trait

#: Sizes of more parts than this are no relation that a reader has in mind.
_HEAVIEST: Final = 16
#: So many relations of one model are told.
_MOST: Final = 12
#: Factors that both sides of a reshape are divided by.
_FACTORS: Final = (2, 3, 5, 7)


class _Relation(NamedTuple):
    """A relation in Python's notation; of a multiple, the size and its divisor."""

    text: str
    whole: Dim = 0
    divisor: Dim = 0


def preconditions(items: Iterable[Op | Event]) -> tuple[str, ...]:
    """What has to hold of the parameters for some operations to run, in Python's notation, each relation once."""
    found: dict[str, _Relation] = {}
    for item in items:
        if isinstance(item, Op) and not item.faults and not item.path:
            for relation in _of_operation(item):
                if not any(_follows(relation, other) for other in found.values()):
                    found.setdefault(relation.text, relation)
            if len(found) >= _MOST:
                break
    return tuple(found)[:_MOST]


def _follows(relation: _Relation, other: _Relation) -> bool:
    """Whether a size is a multiple because a part of it is."""
    if 0 in (relation.whole, other.whole) or not same(relation.divisor, other.divisor):
        return False
    return exact_quotient(relation.whole, other.whole) is not None


def _of_operation(op: Op) -> Iterator[_Relation]:
    for met in meetings(op):
        if is_relation(met):
            either = ", or one of them is 1" if does(op, Trait.POINTWISE) else ""
            yield _written(met.left, met.right, either)
    yield from _of_divisors(op)
    if does(op, Trait.KEEPS_ORDER):
        yield from _of_elements(op)


def _of_divisors(op: Op) -> Iterator[_Relation]:
    """What a layer asks to be a multiple of another number."""
    config = op.layer.layer.args if op.layer is not None and op.layer.layer is not None else {}
    for check in (*layer(op.kind).built, *layer(op.kind).called):
        if isinstance(check, Divisible):
            whole, parts = (op.args.get(name, config.get(name)) for name in (check.total, check.parts))
            if is_dim(whole) and is_dim(parts) and _is_open(whole, parts) and equal(mod(whole, parts), 0) is None:
                yield _multiple(whole, parts)


def _of_elements(op: Op) -> Iterator[_Relation]:
    """What keeps the number of elements in a reshape to given sizes, in which no input's size is left."""
    x, sizes = op.args.get("x"), op.args.get("shape")
    if not isinstance(x, TensorVal) or isinstance(x.shape, Unknown) or not isinstance(sizes, tuple):
        return
    if not all(is_dim(size) and size != -1 for size in sizes):
        return
    left, right = _without_common_factors(product(x.shape), product([size for size in sizes if is_dim(size)]))
    if is_relation(Meeting(left, right, 0)):
        yield _written(left, right, "")


def _without_common_factors(left: Dim, right: Dim) -> tuple[Dim, Dim]:
    """Two sizes, divided by numbers and symbols that both are multiples of."""
    shared = sorted(symbols(left) & symbols(right), key=lambda symbol: symbol.name)
    factors: list[Dim] = [*map(of_atom, shared), *_FACTORS]
    for factor in factors:
        less = exact_quotient(left, factor), exact_quotient(right, factor)
        if less[0] is not None and less[1] is not None:
            left, right = less[0], less[1]
    return left, right


def _written(left: Dim, right: Dim, either: str) -> _Relation:
    for whole, parts in ((left, right), (right, left)):
        divisor = rounded(parts, whole)
        if divisor is not None:
            return _multiple(whole, divisor)
    if isinstance(left, int):
        left, right = right, left
    return _Relation(f"{show(left)} == {show(right)}{either}")


def _multiple(whole: Dim, divisor: Dim) -> _Relation:
    return _Relation(f"{_factor(whole)} % {_factor(divisor)} == 0", whole, divisor)


def _factor(size: Dim) -> str:
    """A size as it stands beside ``%``."""
    text = show(size)
    return f"({text})" if " " in text or "*" in text or "/" in text else text


def is_relation(met: Meeting) -> bool:
    """Whether two sizes are different expressions of parameters that agree for some of their values."""
    left, right, _ = met
    if not _is_open(left, right):
        return False
    if 1 in (left, right) or show(left) == show(right):  # the same text says nothing to the reader
        return False
    return equal(left, right) is None and never_agree(left, right) is None


def _is_open(left: Dim, right: Dim) -> bool:
    """Whether two sizes depend on parameters, and on nothing else."""
    if (isinstance(left, int) and isinstance(right, int)) or weight(left) + weight(right) > _HEAVIEST:
        return False
    found = symbols(left) | symbols(right)
    is_free = all(symbol.origin == "parameter" and not symbol.optional for symbol in found)
    return is_free and not _chooses(left) and not _chooses(right)


def _chooses(size: Dim) -> bool:
    """Whether a size is the smaller or larger one of two: what follows from a meeting of sizes that is told before."""
    return isinstance(size, DimExpr) and any(
        isinstance(atom, Compound) and (atom.kind in ("min", "max") or _chooses(atom.left) or _chooses(atom.right))
        for monomial, _ in size.terms
        for atom, _ in monomial
    )


def rounded(parts: Dim, whole: Dim) -> Dim | None:
    """The divisor, if a size is ``divisor * (whole // divisor)``."""
    for symbol in symbols(parts) | symbols(whole):
        divisor = of_atom(symbol)
        if isinstance(parts, DimExpr) and equal(parts, mul(divisor, floordiv(whole, divisor))):
            return divisor
    return None
