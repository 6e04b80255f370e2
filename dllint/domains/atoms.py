"""What symbolic dimensions are made of: free integers, and divisions, remainders, minima and maxima of dimensions.

Atoms are compared by identity or by their parts, and ordered by ``id``, the number of their making.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import count
from typing import TYPE_CHECKING, Final, Literal
from weakref import WeakValueDictionary

if TYPE_CHECKING:
    from dllint.domains.dim import Dim

Origin = Literal["input", "parameter", "value", "data", "opaque"]
_ids = count(1)


@dataclass(frozen=True, slots=True, eq=False)
class Symbol:
    """A free integer. ``input``: a size of an entry's input; ``parameter``: a constructor's or function's argument;
    ``value``: a size of a tensor that comes from elsewhere, and whose shape is known by its use alone; ``data``: a count that
    the data decide (the rows of a file, the length of a collection, the true elements of a mask), or a size that the run
    decides among known ones (:mod:`dllint.domains.unsolved`), another one each time;
    ``opaque``: the result of something that is not modelled. ``lower`` is a proven lower bound, ``upper`` an upper one.
    ``optional``: the axis of that size may be missing, as the operation that shows the rank takes tensors without it, too."""

    name: str
    origin: Origin
    lower: int
    id: int
    upper: int | None = None
    optional: bool = False

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True, weakref_slot=True, eq=False)
class Compound:
    """An atom made of two dimensions: ``floordiv``, ``mod``, ``min`` or ``max``. Made by :func:`compound`, so that of equal
    ones there is one."""

    kind: str
    left: Dim
    right: Dim
    id: int = field(default_factory=lambda: next(_ids), compare=False)

    def __repr__(self) -> str:
        if self.kind in ("min", "max"):
            return f"{self.kind}({self.left}, {self.right})"
        left, right = (str(d) if isinstance(d, int) or d.is_symbol else f"({d})" for d in (self.left, self.right))
        return f"{left}{'//' if self.kind == 'floordiv' else '%'}{right}"


Atom = Symbol | Compound


def written_factor(atom: Atom, power: int, leads: bool) -> str:
    """A factor of a product. A quotient or remainder binds no closer than the product: bare, it only ``leads`` one."""
    is_quotient = isinstance(atom, Compound) and atom.kind in ("floordiv", "mod")
    text = f"({atom!r})" if is_quotient and (power > 1 or not leads) else repr(atom)
    return f"{text}**{power}" if power > 1 else text


#: The one compound of each kind and parts, as long as somebody uses it.
_compounds: Final[WeakValueDictionary[tuple[str, Dim, Dim], Compound]] = WeakValueDictionary()


def free(name: str, origin: Origin, lower: int, upper: int | None = None, *, optional: bool = False) -> Symbol:
    """A new symbol."""
    return Symbol(name, origin, lower, next(_ids), upper, optional)


def compound(kind: str, left: Dim, right: Dim) -> Compound:
    """The one compound of a kind and two parts."""
    known = _compounds.get((kind, left, right))
    if known is None:
        known = _compounds[kind, left, right] = Compound(kind, left, right)
    return known
