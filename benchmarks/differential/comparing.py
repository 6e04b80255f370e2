"""Claims compared with what a run shows."""

from __future__ import annotations

import ast
import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from benchmarks.differential.claims import Claims, RowClaim, TensorClaim, tensors_of
from benchmarks.differential.seen import Observed, Seen, SeenNumber, SeenOther, SeenSequence, SeenTensor, SeenType
from benchmarks.failing import says_that_it_fails
from dllint.domains.dim import Dim, DimExpr, bounds
from dllint.domains.dtype import DType
from dllint.domains.interval import Interval
from dllint.domains.lattice import Unknown
from dllint.domains.shape import contiguous_strides
from dllint.finding import Finding
from dllint.ir.program import TensorVal
from dllint.ir.values import InstanceVal, LibSymbol, ListVal
from dllint.ops.aliases import is_in_place

#: Rules whose errors are advice about programs that run.
ADVICE: Final = ("DLD", "DLI", "DLL10", "DLN", "DLO", "DLS101", "DLS103", "DLS107", "DLS111", "DLT106", "DLT108", "DLT112",
                 "DLT120")  # fmt: skip
#: How a message goes on that says under which condition it holds, which one run need not fulfil.
_CONDITION: Final = ", when "
#: One of the losses that certainly raises.
_REFUSED: Final = "DLL109"


@dataclass(frozen=True, slots=True)
class Wrong:
    """A claim that a run refutes: its kind, the statement, the operation that it is about, what is claimed and what is so."""

    kind: str
    statement: int
    op: str
    name: str
    claimed: str
    seen: str


@dataclass(slots=True)
class Verdict:
    """What is found of one program."""

    facts: Counter[str] = field(default_factory=Counter)
    wrong: list[Wrong] = field(default_factory=list)
    tensors: int = 0
    shapes_known: int = 0
    types_known: int = 0
    false_errors: list[Wrong] = field(default_factory=list)
    raised: bool = False
    by_values: bool = False
    #: Whether an error is reported where the program raises, and whether anything at all is.
    found: bool = False
    told: bool = False
    lost: str = ""


def compared(claims: Claims, observed: Observed) -> Verdict:
    """The claims about a program against one run of it."""
    out = Verdict(lost=observed.lost)
    if claims.error:
        out.wrong.append(Wrong("internal error", 0, "", "", claims.error, ""))
        return out
    end = len(observed.after)
    errors = [(at, finding) for at, finding in claims.findings if _says_that_it_raises(finding)]
    surely = [(at, finding) for at, finding in errors
              if _CONDITION not in finding.message and finding.location.span.first.line not in claims.conditional]  # fmt: skip
    first = min((at for at, _ in surely if at < end), default=None)
    for at, finding in surely:
        if at == first and claims.first_calls.get(at, _computed(at, observed)) < end:
            out.false_errors.append(Wrong(finding.code, at, finding.name, "", finding.message, "it runs"))
    if observed.raised is not None:
        out.raised, out.by_values = True, observed.raised.by_values
        out.found = any(end in (at, claims.first_calls.get(at), _computed(at, observed)) for at, _ in errors)
        out.told = any(at == end for at, _ in claims.findings)
    try:
        _Comparison(claims, observed, out).go(end if first is None else first)
    except (ArithmeticError, AssertionError, AttributeError, LookupError, RecursionError, TypeError, ValueError) as error:
        out.wrong.append(Wrong("internal error", 0, "", "", f"{type(error).__name__}: {error}", ""))
    return out


def _computed(at: int, observed: Observed) -> int:
    """The number of the statement that computes what a statement describes: Keras looks at some arguments of layers on symbolic
    inputs only when a model of them is called. The end if none is called."""
    fresh = observed.after[at].values() if 0 <= at < len(observed.after) else ()
    if not fresh or not all(isinstance(seen, SeenTensor) and seen.library == "keras" for seen in fresh):
        return at
    texts = [ast.unparse(statement) for statement in ast.parse(observed.text).body]
    models = {text.partition(" =")[0] for text in texts if " = keras.Model(" in text}
    called = (number for number in range(at, len(texts)) if any(f"{model}(" in texts[number] for model in models))
    return next(called, len(texts))


def _says_that_it_raises(finding: Finding) -> bool:
    advice = finding.code.startswith(ADVICE) and finding.code != _REFUSED
    return says_that_it_fails(finding) and not advice


@dataclass(slots=True)
class _Comparison:
    """Goes through the statements; ranges are compared until a NaN has come up."""

    claims: Claims
    observed: Observed
    out: Verdict
    nan: bool = False
    statement: int = 0
    #: The tensors that names held before the statement.
    before: list[TensorClaim] = field(default_factory=list)

    def go(self, end: int) -> None:
        """Compare what is claimed of the statements before ``end``."""
        held: dict[str, Seen] = {}
        for self.statement in range(end):
            claimed, fresh = self.claims.after[self.statement], self.observed.after[self.statement]
            self._taken(held)
            held.update(fresh)
            earlier = self.claims.after[self.statement - 1].values() if self.statement else ()
            self.before = [tensor for claim in earlier for tensor in tensors_of(claim)]
            self.nan = self.nan or any(_has_nan(seen) for seen in fresh.values())
            for name, seen in held.items():
                if name not in claimed:
                    continue
                self._compare(name, claimed[name], seen, new=name in fresh)

    def _taken(self, held: dict[str, Seen]) -> None:
        """The ranges of what the first operation of a statement takes."""
        ops = self.claims.ops.get(self.statement)
        if not ops or self.nan or not self.statement:
            return
        before = self.claims.after[self.statement - 1]
        for name, claim in before.items():
            seen = held.get(name)
            if isinstance(claim, TensorClaim) and isinstance(seen, SeenTensor) and _takes(ops[0], claim.value):
                self._range(name, claim, self.claims.range_at(ops[0], claim.value), seen, "taken range")

    def _compare(self, name: str, claim: object, seen: Seen, new: bool) -> None:
        if isinstance(seen, SeenTensor):
            if new:
                self._count_known(claim)
            if isinstance(claim, TensorClaim):
                self._tensor(name, claim, seen, new)
                return
        if isinstance(claim, Unknown) or isinstance(seen, SeenOther):
            return
        if isinstance(seen, SeenTensor) and seen.library == "tensorflow" and not isinstance(claim, TensorClaim):
            seen = _as_sizes(seen)
        if isinstance(claim, RowClaim) and isinstance(seen, SeenSequence):
            if len(seen.items) > len(claim.items) or (len(seen.items) < len(claim.items) and not claim.fewer):
                self._wrong("length", name, claim, len(claim.items), len(seen.items))
                return
            for number, (item, part) in enumerate(zip(claim.items, seen.items, strict=False)):
                self._compare(f"{name}[{number}]", item, part, new)
            return
        self._plain(name, claim, seen)

    def _count_known(self, claim: object) -> None:
        """Count how much is known of a tensor."""
        self.out.tensors += 1
        if isinstance(claim, TensorClaim):
            shape = claim.type.shape
            self.out.shapes_known += isinstance(shape, tuple) and all(isinstance(size, int) for size in shape)
            self.out.types_known += isinstance(claim.type.dtype, DType)

    # --- numbers, texts, types ----------------------------------------------------------------------------------------

    def _plain(self, name: str, claim: object, seen: Seen) -> None:
        if isinstance(claim, LibSymbol | InstanceVal | ListVal) or type(claim).__name__.endswith("Val"):
            if isinstance(claim, LibSymbol) and isinstance(seen, SeenNumber):
                self._wrong("value", name, claim, claim.name, seen.value)
            return
        self.out.facts["literal"] += 1
        if isinstance(claim, DType):
            if _type_name(seen) != claim.name:
                self._wrong("literal", name, claim, claim.name, seen)
        elif isinstance(claim, DimExpr):
            size = seen.value if isinstance(seen, SeenNumber) else _only(seen)
            if not isinstance(size, int) or not _within(claim, size):
                self._wrong("literal", name, claim, claim, seen)
        elif isinstance(claim, bool | int | float | complex | str | None):
            number = seen.value if isinstance(seen, SeenNumber) else _only(seen)
            if not _is_same(claim, number):
                self._wrong("literal", name, claim, claim, seen)
        elif isinstance(claim, TensorClaim | RowClaim):
            self._wrong("value", name, claim, type(claim).__name__, seen)

    # --- tensors ------------------------------------------------------------------------------------------------------

    def _tensor(self, name: str, claim: TensorClaim, seen: SeenTensor, new: bool) -> None:
        self._shape(name, claim, seen)
        dtype = claim.type.dtype
        if isinstance(dtype, DType):
            self._count("type", name, claim, dtype.name == seen.dtype, dtype.name, seen.dtype)
        if not _library_fits(claim.value.framework, seen):
            self._wrong("library", name, claim, claim.value.framework, seen.library)
        if not self.nan:
            self._numbers(name, claim, seen)
            if new and self._is_made(claim):
                self._range(name, claim, self.claims.range_of(claim.value), seen, "range")

    def _is_made(self, claim: TensorClaim) -> bool:
        """Whether a tensor is of this statement, with nothing written later: its range is that of what its producer left."""
        if any(other.value is claim.value for other in self.before):
            return False
        ops = self.claims.ops.get(self.statement, [])
        later = ops[ops.index(claim.value.producer) + 1 :] if claim.value.producer in ops else []
        return not any(map(is_in_place, later))

    def _shape(self, name: str, claim: TensorClaim, seen: SeenTensor) -> None:
        shape = claim.type.shape
        if isinstance(shape, Unknown):
            return
        if not self._count("rank", name, claim, len(shape) == len(seen.shape), shape, seen.shape):
            return
        right = all(_size_fits(size, real) for size, real in zip(shape, seen.shape, strict=True))
        self._count("size", name, claim, right, shape, seen.shape)
        strides = claim.type.strides
        followed = claim.value.framework == "torch" and seen.strides is not None and 0 not in seen.shape
        if not followed or isinstance(strides, Unknown) or not right or seen.strides is None:
            return
        wanted = contiguous_strides(shape) if strides is None else strides
        pairs = [(a, b) for a, b, n in zip(wanted, seen.strides, seen.shape, strict=True) if n != 1]
        fits = all(_size_fits(a, b) for a, b in pairs)
        self._count("strides", name, claim, fits, wanted, seen.strides)

    def _numbers(self, name: str, claim: TensorClaim, seen: SeenTensor) -> None:
        """Elements and limits that the value itself names."""
        if claim.data is not None and seen.data is not None:
            flat = tuple(_flat(claim.data))
            right = len(flat) == len(seen.data) and all(map(_is_same, flat, seen.data))
            self._count("constant", name, claim, right, flat[:12], seen.data[:12])
        if seen.low is None or seen.high is None:
            return
        if claim.low is not None:
            self._count("constant", name, claim, claim.low <= seen.low, f"at least {claim.low}", seen.low)
        if claim.high is not None:
            self._count("constant", name, claim, claim.high >= seen.high, f"at most {claim.high}", seen.high)

    def _range(self, name: str, claim: TensorClaim, found: Interval, seen: SeenTensor, kind: str) -> None:
        if seen.low is None or seen.high is None:
            return
        if math.isinf(found.low.value) and math.isinf(found.high.value) and not found.nonzero:
            return
        shown = f"[{seen.low!r}, {seen.high!r}]{' with 0' if seen.zero else ''}"
        claimed = f"[{found.low.value!r}, {found.high.value!r}]{'' if found.has_zero else ' without 0'}"
        self._count(kind, name, claim, holds(found, seen), claimed, shown)

    # --- results ------------------------------------------------------------------------------------------------------

    def _count(self, kind: str, name: str, claim: object, right: bool, claimed: object, seen: object) -> bool:
        self.out.facts[kind] += 1
        if not right:
            self._wrong(kind, name, claim, claimed, seen)
        return right

    def _wrong(self, kind: str, name: str, claim: object, claimed: object, seen: object) -> None:
        op = claim.kind if isinstance(claim, TensorClaim) else type(claim).__name__
        self.out.wrong.append(Wrong(kind, self.statement, op, name, str(claimed), str(seen)))


def holds(found: Interval, seen: SeenTensor) -> bool:
    """Whether all numbers that were made belong to an interval."""
    low, high = seen.low, seen.high
    if low is None or high is None:
        return True
    above = low > found.low.value or (low == found.low.value and (found.low.closed or math.isinf(low)))
    below = high < found.high.value or (high == found.high.value and (found.high.closed or math.isinf(high)))
    return above and below and not (seen.zero and not found.has_zero)


def _takes(op: object, value: TensorVal) -> bool:
    return any(given is value for given in getattr(op, "inputs", ()))


def _type_name(seen: Seen) -> object:
    """The name of an element type; Keras has texts for types."""
    return seen.name if isinstance(seen, SeenType) else seen.value if isinstance(seen, SeenNumber) else None


def _has_nan(seen: Seen) -> bool:
    if isinstance(seen, SeenSequence):
        return any(map(_has_nan, seen.items))
    if isinstance(seen, SeenNumber):
        return isinstance(seen.value, float) and math.isnan(seen.value)
    return isinstance(seen, SeenTensor) and seen.nan


def _library_fits(framework: str, seen: SeenTensor) -> bool:
    if framework in ("keras", "python"):
        return framework == "keras" or seen.library == "numpy"
    return framework == seen.library or (seen.library == "keras" and framework == "tensorflow")


def _size_fits(claimed: Dim, real: int | None) -> bool:
    if real is None:
        return not isinstance(claimed, int)
    return claimed == real if isinstance(claimed, int) else _within(claimed, real)


def _within(claimed: DimExpr, real: int) -> bool:
    low, high = bounds(claimed)
    return (low is None or low <= real) and (high is None or real <= high)


def _is_same(claimed: object, seen: object) -> bool:
    """Whether two numbers are one; NaN is NaN."""
    if isinstance(claimed, float) and isinstance(seen, float) and math.isnan(claimed):
        return math.isnan(seen)
    if isinstance(claimed, str) or claimed is None or isinstance(seen, str) or seen is None:
        return claimed == seen
    return claimed == seen and isinstance(claimed, bool) <= isinstance(seen, bool | int | float)


def _only(seen: Seen) -> object:
    """The element of an array of rank 0, which is a number to numpy."""
    if isinstance(seen, SeenTensor) and seen.library == "numpy" and seen.shape == () and seen.data:
        return seen.data[0]
    return seen


def _as_sizes(seen: SeenTensor) -> Seen:
    """Sizes that TensorFlow gives as a tensor (``tf.shape``, ``tf.rank``) and comparisons of them, as the numbers and truth
    values that they are followed as."""
    if seen.data is None or len(seen.shape) > 1 or not seen.dtype.startswith(("int", "bool")):
        return seen
    numbers = tuple(map(SeenNumber, seen.data))
    return SeenSequence(numbers) if seen.shape else numbers[0]


def _flat(data: object) -> Iterator[object]:
    if isinstance(data, tuple):
        for item in data:
            yield from _flat(item)
    else:
        yield data
