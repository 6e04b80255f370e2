"""Sets, with equality of elements decided as far as it is known.

Where it is not known whether a value is among the elements, nothing is known afterwards of their number.
"""

from __future__ import annotations

from collections.abc import Iterable
from types import NoneType
from typing import TYPE_CHECKING, Final

from dllint.domains.dim import DimExpr
from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import InstanceVal, SetVal, Value
from dllint.lower import bulk, lists
from dllint.lower.identity import compares, equals
from dllint.lower.joining import alike, further, join
from dllint.lower.lazy import ChoiceVal

if TYPE_CHECKING:
    from dllint.lower.parts import Joins


def holds(m: Joins, items: Iterable[Value], value: Value) -> bool | None:
    """Whether a value is among some, ``None`` if undecided."""
    undecided = False
    for item in items:
        found = _same(m, item, value)
        if found:
            return True
        undecided = undecided or found is None
    return None if undecided else False


def _same(m: Joins, a: Value, b: Value) -> bool | None:
    found = equals(m, a, b)
    if found is not None:
        return found
    vague = (Unknown, DimExpr, ChoiceVal)
    if isinstance(a, vague) or isinstance(b, vague) or compares(a) or compares(b):
        return None
    return a is b if isinstance(a, (InstanceVal, TensorVal)) else alike(a, b)


#: What Python itself tells apart as the analysed code does; not numbers with a point, of which NaN is one.
_CONSTANTS: Final = (int, str, bytes, NoneType)


def _are_constants(items: Iterable[Value]) -> bool:
    return all(isinstance(item, _CONSTANTS) or (type(item) is tuple and _is_nested_constant(item)) for item in items)


def _is_nested_constant(items: tuple[Value, ...]) -> bool:
    return not bulk.is_bulky(items) and _are_constants(items)


def _held(m: Joins, whole: SetVal, part: SetVal) -> list[bool | None]:
    """For each element of a set whether it is in another one, ``None`` if undecided."""
    if _are_constants((*whole.items, *part.items)):
        known = set(whole.items)
        return [item in known for item in part.items]
    return [holds(m, whole.items, item) for item in part.items]


def set_of(m: Joins, items: Iterable[Value], rest: Value = None) -> SetVal:
    """A set of some elements, and any number of what ``rest`` stands for."""
    out = SetVal([], rest)
    add(m, out, items)
    return out


def add(m: Joins, target: SetVal, items: Iterable[Value], rest: Value = None) -> None:
    """Put elements into a set that are not in it yet."""
    items = list(items)
    if _are_constants((*target.items, *items)):
        known = set(target.items)
        lists.extend(m, target, [item for item in dict.fromkeys(items) if item not in known])
        items = []
    for item in items:
        found = holds(m, target.items, item)
        if found is None:
            lists.loosen(m, target, [item])
        elif not found:
            lists.extend(m, target, [item])
    if rest is not None:
        lists.extend(m, target, [], rest)


def remove(m: Joins, target: SetVal, value: Value) -> bool | None:
    """Take an element out of a set; whether it was there."""
    if target.rest is not None:
        return None
    answers = [_same(m, item, value) for item in target.items]
    if True in answers:
        lists.take(m, target, answers.index(True))
        return True
    if None in answers:
        lists.loosen(m, target)
        return None
    return False


def keep(m: Joins, target: SetVal, other: SetVal, inside: bool) -> None:
    """Leave those elements in a set that are in another one, or those that are not."""
    answers = _held(m, other, target)
    if target.rest is None and other.rest is None and None not in answers:
        kept = [item for item, answer in zip(target.items, answers, strict=True) if answer is inside]
        if len(kept) < len(target.items):
            lists.reorder(m, target, kept)
    else:
        lists.loosen(m, target)


def combined(m: Joins, name: str, a: SetVal, b: SetVal) -> Value:
    """What an operator of sets, by the name of its operation, makes of two."""
    out = SetVal(list(a.items), a.rest)
    if name == "sub":
        keep(m, out, b, inside=False)
    elif name == "bitwise_and":
        keep(m, out, b, inside=True)
    elif name == "bitwise_or":
        add(m, out, b.items, b.rest)
    elif name == "bitwise_xor":
        other = SetVal(list(b.items), b.rest)
        keep(m, other, a, inside=False)
        keep(m, out, b, inside=False)
        add(m, out, other.items, other.rest)
    else:
        return Unknown("unknown-operand", name)
    return out


def is_subset(m: Joins, a: SetVal, b: SetVal) -> bool | None:
    """Whether all elements of a set are in another one."""
    answers = _held(m, b, a)
    if False in answers and b.rest is None:
        return False
    return True if a.rest is None and all(answers) else None


def loosened(m: Joins, value: SetVal) -> SetVal:
    """A set of any number of what is in another one."""
    every = [*value.items, *([] if value.rest is None else [value.rest])]
    rest = every[0] if every else None
    for item in every[1:]:
        rest = join(m, rest, item)
    return SetVal([], further(rest) if every else None)
