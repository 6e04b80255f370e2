"""Symbolic dimensions: canonical integer polynomials over symbols, floor-divisions, remainders, minima and maxima.

A dimension is a plain ``int`` or a :class:`DimExpr`. ``DimExpr`` objects are hash-consed, so ``==`` is identity of
canonical form: equal objects are equal numbers, different objects may still be equal numbers. Ask :func:`equal`
(three-valued) or :func:`differs` (proved) for the mathematical question. An unknown size is a fresh symbol of origin
``opaque``: it is equal to itself and to nothing else that can be proved. So is a polynomial that is too long to compute with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import reduce
from math import gcd
from typing import ClassVar, Final
from weakref import KeyedRef, WeakValueDictionary

from dllint.domains.atoms import Atom, Compound, Origin, Symbol, compound, free, written_factor
from dllint.domains.finite import written

Monomial = tuple[tuple[Atom, int], ...]
Terms = tuple[tuple[Monomial, int], ...]


#: What a polynomial may weigh, and how many products of terms one multiplication may take. Models need less than 64.
HEAVIEST: Final = 256
#: Bits of a number that weigh as much as a symbol.
_WORD: Final = 64


def _forget(held: KeyedRef[Terms, DimExpr]) -> None:
    if DimExpr._interned.get(held.key) is held:
        del DimExpr._interned[held.key]


class DimExpr:
    """A canonical polynomial with integer coefficients that is not a constant. Made by arithmetic, never directly.

    ``weight`` counts what is written in it: terms, powers, long numbers, parts of divisions. One that is heavier than
    :data:`HEAVIEST` is the same opaque symbol as long as somebody uses it, with its bounds.
    """

    __slots__ = ("__weakref__", "_bounds", "_hash", "_symbols", "terms", "weight")
    #: What a ``WeakValueDictionary`` is inside: asking one takes a call of Python code each time.
    _interned: ClassVar[dict[Terms, KeyedRef[Terms, DimExpr]]] = {}

    terms: Terms
    weight: int
    _hash: int
    #: What :func:`bounds` and :func:`symbols` have found: nested divisions share their parts.
    _bounds: Bounds | None
    _symbols: frozenset[Symbol] | None

    def __new__(cls, terms: Terms) -> DimExpr:
        """The one object with these terms."""
        held = cls._interned.get(terms)
        known = held() if held is not None else None
        if known is None:
            weight = _weight(terms)
            if weight > HEAVIEST:
                known = _lump(_sum_bounds(terms), _symbols_of(terms))
            else:
                known = object.__new__(cls)
                known.terms, known.weight = terms, weight
                known._hash = hash(terms)
                known._bounds = known._symbols = None
            cls._interned[terms] = KeyedRef(known, _forget, terms)
        return known

    def __hash__(self) -> int:
        return self._hash

    def __repr__(self) -> str:
        return show(self)

    @property
    def is_symbol(self) -> bool:
        """Whether this is one symbol, with coefficient and power 1."""
        (monomial, coefficient), *rest = self.terms
        return not rest and coefficient == 1 and len(monomial) == 1 and monomial[0][1] == 1

    @property
    def symbol(self) -> Symbol | None:
        """The symbol this stands for, if it is exactly one."""
        atom = self.terms[0][0][0][0] if self.is_symbol else None
        return atom if isinstance(atom, Symbol) else None

    def __add__(self, other: int | DimExpr) -> Dim:
        return add(self, other) if isinstance(other, (int, DimExpr)) else NotImplemented

    __radd__ = __add__

    def __sub__(self, other: int | DimExpr) -> Dim:
        return add(self, mul(other, -1)) if isinstance(other, (int, DimExpr)) else NotImplemented

    def __rsub__(self, other: int | DimExpr) -> Dim:
        return add(mul(self, -1), other) if isinstance(other, (int, DimExpr)) else NotImplemented

    def __mul__(self, other: int | DimExpr) -> Dim:
        return mul(self, other) if isinstance(other, (int, DimExpr)) else NotImplemented

    __rmul__ = __mul__

    def __neg__(self) -> Dim:
        return mul(self, -1)

    def __floordiv__(self, other: int | DimExpr) -> Dim:
        return floordiv(self, other) if isinstance(other, (int, DimExpr)) else NotImplemented

    def __rfloordiv__(self, other: int | DimExpr) -> Dim:
        return floordiv(other, self) if isinstance(other, (int, DimExpr)) else NotImplemented

    def __mod__(self, other: int | DimExpr) -> Dim:
        return mod(self, other) if isinstance(other, (int, DimExpr)) else NotImplemented

    def __rmod__(self, other: int | DimExpr) -> Dim:
        return mod(other, self) if isinstance(other, (int, DimExpr)) else NotImplemented


Dim = int | DimExpr


#: The origins of sizes that differ from one element of a collection to the next.
VARYING: Final[frozenset[Origin]] = frozenset({"data", "opaque"})
#: The lower bound of a symbol for a number that falls, which may come to 0 and below.
FALLING: Final = -1


def symbol(name: str, origin: Origin = "input", lower: int = 1, upper: int | None = None, *, optional: bool = False) -> DimExpr:
    """A fresh symbol, different from every other one whatever its name."""
    return of_atom(free(name, origin, lower, upper, optional=optional))


def opaque(name: str = "?", lower: int = 0, upper: int | None = None) -> DimExpr:
    """A fresh size about which nothing is known but its bounds."""
    return symbol(name, "opaque", lower, upper)


def drawn(low: object, high: object) -> DimExpr:
    """A whole number drawn at random, from ``low`` to ``high``, where these are whole numbers; it need not be a size."""
    lower = low if type(low) is int and low > 0 else FALLING
    return counted("random", lower, high if type(high) is int and high >= lower else None)


def counted(name: str, lower: int = 0, upper: int | None = None) -> DimExpr:
    """A fresh count of something that the data decide: known by its name, as the size of an input is, but another one wherever
    the same is counted again, so that nothing is proved by comparing two."""
    return symbol(name, "data", lower, upper)


def _lump(bounds: Bounds, parts: frozenset[Symbol]) -> DimExpr:
    origin: Origin = "opaque" if any(part.origin == "opaque" for part in parts) else "data"
    return symbol("…", origin, FALLING if bounds[0] is None else bounds[0], bounds[1])


def _weight(terms: Iterable[tuple[Monomial, int]]) -> int:
    return sum(1 + coefficient.bit_length() // _WORD + sum(map(_factor_weight, m)) for m, coefficient in terms)


def _factor_weight(factor: tuple[Atom, int]) -> int:
    atom, power = factor
    return power + (0 if isinstance(atom, Symbol) else sum(map(weight, (atom.left, atom.right))))


def weight(dim: Dim) -> int:
    """The number of terms, powers and parts of a dimension, a measure of the cost of computing with it."""
    return dim.weight if isinstance(dim, DimExpr) else 1 + dim.bit_length() // _WORD


def of_atom(atom: Atom) -> DimExpr:
    """An atom for itself."""
    return DimExpr(((((atom, 1),), 1),))


def _terms(dim: Dim) -> Mapping[Monomial, int]:
    return dict(dim.terms) if isinstance(dim, DimExpr) else ({(): int(dim)} if dim else {})


def _make(terms: Mapping[Monomial, int]) -> Dim:
    kept = {m: c for m, c in terms.items() if c}
    if not kept:
        return 0
    if len(kept) == 1 and () in kept:
        return kept[()]
    return DimExpr(tuple(sorted(kept.items(), key=lambda mc: [(-a.id, p) for a, p in mc[0]], reverse=True)))


def add(a: Dim, b: Dim) -> Dim:
    """``a + b`` in canonical form."""
    if isinstance(a, int) and isinstance(b, int):
        return a + b
    if a == 0 or b == 0:
        return a or b
    out = dict(_terms(a))
    for monomial, coefficient in _terms(b).items():
        out[monomial] = out.get(monomial, 0) + coefficient
    return _make(out)


def mul(a: Dim, b: Dim) -> Dim:
    """``a * b`` in canonical form."""
    if isinstance(a, int):
        a, b = b, a
    if isinstance(b, int):
        return _times(a, b)
    if isinstance(a, DimExpr) and len(a.terms) * len(b.terms) > HEAVIEST:
        return _long_product(*sorted((a, b), key=id))
    out: dict[Monomial, int] = {}
    for m1, c1 in _terms(a).items():
        for m2, c2 in _terms(b).items():
            powers: dict[Atom, int] = dict(m1)
            for atom, power in m2:
                powers[atom] = powers.get(atom, 0) + power
            monomial = tuple(sorted(powers.items(), key=lambda ap: ap[0].id))
            out[monomial] = out.get(monomial, 0) + c1 * c2
    return _make(out)


#: Products that are too long to compute with, by their factors.
_long_products: Final[WeakValueDictionary[tuple[Dim, Dim], DimExpr]] = WeakValueDictionary()


def _long_product(a: Dim, b: Dim) -> DimExpr:
    known = _long_products.get((a, b))
    if known is None:
        known = _long_products[a, b] = _lump(_long_bounds(a, b), symbols(a) | symbols(b))
    return known


def _long_bounds(a: Dim, b: Dim) -> Bounds:
    (low, high), (least, most) = bounds(a), bounds(b)
    if low is None or least is None or low < 0 or least < 0:
        return None, None
    return _short(low * least, None if high is None or most is None else high * most)


def _times(dim: Dim, number: int) -> Dim:
    if isinstance(dim, int):
        return dim * number if dim.bit_length() + number.bit_length() <= HEAVIEST * _WORD else _long_product(dim, number)
    if number == 1:
        return dim
    return DimExpr(tuple((monomial, c * number) for monomial, c in dim.terms)) if number else 0


def product(dims: Iterable[Dim]) -> Dim:
    """The product of all dimensions; 1 for none."""
    return reduce(mul, (1, *dims))


def total(dims: Iterable[Dim]) -> Dim:
    """The sum of all dimensions; 0 for none."""
    return reduce(add, (0, *dims))


def floordiv(a: Dim, b: Dim) -> Dim:
    """``a // b`` with Python's rounding. A division by zero is an opaque size, never an exception."""
    if b == 0:
        return opaque("division by zero")
    if isinstance(a, int) and isinstance(b, int):
        return a // b
    if (exact := exact_quotient(a, b)) is not None:
        return exact
    if isinstance(b, int) and b > 0:
        whole = _make({m: c // b for m, c in _terms(a).items()})
        rest = _make({m: c % b for m, c in _terms(a).items()})
        if isinstance(rest, int):
            return add(whole, rest // b)
        low, high = bounds(rest)
        if low is not None and high is not None and low // b == high // b:
            return add(whole, low // b)
        return add(whole, of_atom(compound("floordiv", *_flatten(rest, b))))
    return of_atom(compound("floordiv", a, b))


def _flatten(a: Dim, b: int) -> tuple[Dim, int]:
    """``(x // p + k) // q`` is ``(x + k·p) // (p·q)`` for positive p and q."""
    inner, constant = None, 0
    for monomial, coefficient in _terms(a).items():
        if monomial == ():
            constant = coefficient
        elif inner is None and coefficient == 1 and len(monomial) == 1 and monomial[0][1] == 1:
            inner = monomial[0][0]
        else:
            return a, b
    if isinstance(inner, Compound) and inner.kind == "floordiv" and isinstance(inner.right, int) and inner.right > 0:
        return add(inner.left, constant * inner.right), b * inner.right
    return a, b


def mod(a: Dim, b: Dim) -> Dim:
    """``a % b`` with Python's sign rule."""
    if b == 0:
        return opaque("modulo by zero")
    if isinstance(a, int) and isinstance(b, int):
        return a % b
    if exact_quotient(a, b) is not None:
        return 0
    if isinstance(b, int) and b > 0:
        rest = _make({m: c % b for m, c in _terms(a).items()})
        if isinstance(rest, int):
            return rest % b
        return of_atom(compound("mod", rest, b))
    return of_atom(compound("mod", a, b))


def exact_quotient(a: Dim, b: Dim) -> Dim | None:
    """``a / b`` if it is provably an integer polynomial, else ``None``. ``b`` is assumed not to be 0."""
    if b == 1:
        return a
    if a == b:
        return 1
    divisor = list(_terms(b).items())
    if len(divisor) == 1:
        return _divide_by_monomial(a, *divisor[0])
    return _divide_by_polynomial(a, b)


def _divide_by_monomial(a: Dim, monomial: Monomial, coefficient: int) -> Dim | None:
    out: dict[Monomial, int] = {}
    for m, c in _terms(a).items():
        powers = dict(m)
        for atom, power in monomial:
            powers[atom] = powers.get(atom, 0) - power
        if c % coefficient or any(p < 0 for p in powers.values()):
            return None
        out[tuple((atom, p) for atom, p in sorted(powers.items(), key=lambda ap: ap[0].id) if p)] = c // coefficient
    return _make(out)


def _divide_by_polynomial(a: Dim, b: Dim) -> Dim | None:
    if not isinstance(a, DimExpr) or not isinstance(b, DimExpr):
        return None
    quotient: Dim = 0
    rest: Dim = a
    for _ in range(8):
        if rest == 0:
            return quotient
        if not isinstance(rest, DimExpr):
            return None
        part = _divide_by_monomial(_make(dict(rest.terms[:1])), *b.terms[0])
        if part is None:
            return None
        quotient, rest = add(quotient, part), add(rest, mul(mul(part, b), -1))
    return None


def minimum(a: Dim, b: Dim) -> Dim:
    """The smaller of two dimensions, decided where bounds allow it."""
    low, high = bounds(add(a, mul(b, -1)))
    if high is not None and high <= 0:
        return a
    if low is not None and low >= 0:
        return b
    return of_atom(compound("min", *sorted((a, b), key=_sort_key)))


def maximum(a: Dim, b: Dim) -> Dim:
    """The larger of two dimensions, decided where bounds allow it."""
    low, high = bounds(add(a, mul(b, -1)))
    if low is not None and low >= 0:
        return a
    if high is not None and high <= 0:
        return b
    return of_atom(compound("max", *sorted((a, b), key=_sort_key)))


def _sort_key(dim: Dim) -> tuple[int, int]:
    return (0, dim) if isinstance(dim, int) else (1, dim.terms[0][0][0][0].id)


Bounds = tuple[int | None, int | None]


def bounds(dim: Dim) -> Bounds:
    """Proven lower and upper bound; ``None`` where there is none."""
    if isinstance(dim, int):
        return dim, dim
    if dim._bounds is None:
        dim._bounds = _sum_bounds(dim.terms)
    return dim._bounds


def _sum_bounds(terms: Iterable[tuple[Monomial, int]]) -> Bounds:
    low: int | None = 0
    high: int | None = 0
    for monomial, coefficient in terms:
        lo, hi = _monomial_bounds(monomial)
        lo, hi = (lo, hi) if coefficient > 0 else (hi, lo)
        low = None if low is None or lo is None else low + coefficient * lo
        high = None if high is None or hi is None else high + coefficient * hi
    return _short(low, high)


def _monomial_bounds(monomial: Monomial) -> Bounds:
    low: int | None = 1
    high: int | None = 1
    for atom, power in monomial:
        lo, hi = _atom_bounds(atom)
        if low is None or lo is None or lo < 0:
            return None, None
        power_high = None if high is None or hi is None or power > HEAVIEST else high * hi**power
        low, high = _short(low * lo ** min(power, HEAVIEST), power_high)
    return low, high


def _short(low: int | None, high: int | None) -> Bounds:
    """Bounds beyond which sizes are not counted."""
    far = 1 << HEAVIEST
    low = None if low is None or low < -far else min(low, far)
    return low, None if high is None or high > far else max(high, -far)


def _atom_bounds(atom: Atom) -> Bounds:
    if isinstance(atom, Symbol):
        return atom.lower, atom.upper
    (alo, ahi), (blo, bhi) = bounds(atom.left), bounds(atom.right)
    if atom.kind == "min":
        highs = [h for h in (ahi, bhi) if h is not None]
        return (None if alo is None or blo is None else min(alo, blo)), (min(highs) if highs else None)
    if atom.kind == "max":
        lows = [lo for lo in (alo, blo) if lo is not None]
        return (max(lows) if lows else None), (None if ahi is None or bhi is None else max(ahi, bhi))
    positive = blo is not None and blo > 0
    if atom.kind == "mod":
        return (0, None if bhi is None else bhi - 1) if positive else (None, None)
    if positive and blo is not None and alo is not None and alo >= 0:
        return (0 if bhi is None else alo // bhi), (None if ahi is None else ahi // blo)
    if positive and isinstance(atom.right, int):
        return (None if alo is None else alo // atom.right), (None if ahi is None else ahi // atom.right)
    return None, None


def equal(a: Dim, b: Dim) -> bool | None:
    """Whether two dimensions are the same number: proved, refuted or undecided (``None``)."""
    difference = 0 if same(a, b) else add(a, mul(b, -1))
    if isinstance(difference, int):
        return difference == 0
    low, high = bounds(difference)
    if (low is not None and low > 0) or (high is not None and high < 0):
        return False
    constant = dict(difference.terms).get((), 0)
    step = reduce(gcd, (c for m, c in difference.terms if m), 0)
    return False if step and constant % step else None


def differs(a: Dim, b: Dim) -> bool:
    """Whether two dimensions are provably different."""
    return equal(a, b) is False


def exceeds(a: Dim, b: Dim) -> bool:
    """Whether one dimension is larger than the other for every value of their symbols."""
    low, _ = bounds(add(a, mul(b, -1)))
    return low is not None and low > 0


def same(a: Dim, b: Dim) -> bool:
    """Whether two dimensions are provably the same: they have one canonical form, of which there is one object."""
    return a is b or a == b


def symbols(dim: Dim) -> frozenset[Symbol]:
    """All symbols a dimension depends on."""
    if isinstance(dim, int):
        return frozenset()
    if dim._symbols is None:
        dim._symbols = _symbols_of(dim.terms)
    return dim._symbols


def _symbols_of(terms: Terms) -> frozenset[Symbol]:
    out: set[Symbol] = set()
    for atom in (atom for monomial, _ in terms for atom, _ in monomial):
        out |= {atom} if isinstance(atom, Symbol) else symbols(atom.left) | symbols(atom.right)
    return frozenset(out)


def may_fall(dim: Dim) -> bool:
    """Whether a number depends on one that falls, so that it need not be a size."""
    return any(symbol.lower < 0 for symbol in symbols(dim))


def is_known(dim: Dim) -> bool:
    """Whether a dimension depends on inputs, parameters and data only, not on something that is not modelled."""
    return isinstance(dim, int) or all(s.origin != "opaque" for s in symbols(dim))


def is_fixed(dim: Dim) -> bool:
    """Whether a dimension is known and depends on no count of data, so that each element of a list has the same."""
    return isinstance(dim, int) or all(s.origin not in VARYING for s in symbols(dim))


def show(dim: Dim) -> str:
    """A short text, which Python reads as the same size: ``3``, ``B``, ``2*C + 1``, ``(H + 1)//2``, ``C*(H//2)``."""
    parts: list[str] = []
    for monomial, coefficient in (((), dim),) if isinstance(dim, int) else dim.terms:
        factors = [] if monomial and abs(coefficient) == 1 else [written(abs(coefficient))]
        leads = not factors and (coefficient > 0 or bool(parts))
        factors += [written_factor(atom, power, leads and not n) for n, (atom, power) in enumerate(monomial)]
        parts += [("- " if coefficient < 0 else "+ ") if parts else ("-" if coefficient < 0 else ""), "*".join(factors), " "]
    return "".join(parts).strip()
