"""Which conditions lead to an operation, and whether they can hold together.

Conditions are compared by what their texts say: a name, attribute, element or length against a constant, or against another
name. Passes of a loop and functions that bind a name again may put conditions together that no run meets together.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from math import inf
from typing import Any, Final

from dllint.ir.program import ONE_OF_SEVERAL, Condition, without_repetition
from dllint.ir.values import Value
from dllint.source.expressions import abstract_expression

_OPPOSITE: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Eq: ast.NotEq, ast.NotEq: ast.Eq, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Lt: ast.GtE, ast.GtE: ast.Lt,
    ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.In: ast.NotIn, ast.NotIn: ast.In,
}  # fmt: skip
_SWAPPED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE}
_EQUALITIES: Final = (ast.Eq, ast.Is)
_INEQUALITIES: Final = (ast.NotEq, ast.IsNot)
#: Functions and methods that give the same as long as their arguments are the same.
_PURE: Final = frozenset(
    {"len", "isinstance", "hasattr", "startswith", "endswith", "dim", "size", "type", "get", "lower", "upper"}
)
#: How conditions write the truth of a value: ``self.aux is true``.
_WORDS: Final = {"true": True, "false": False}


def formatted(path: Iterable[Condition], setting: str = "") -> tuple[str, ...]:
    """The texts of the conditions on the way to an operation, each once, without those that a default value
    selects and those that say of an attribute what is said of the parameter of its name."""
    found = (condition.text for condition in path if condition.default is not True)
    return without_repetition(text for text in (setting, *found) if text not in ("", ONE_OF_SEVERAL))


def is_at_times(path: Iterable[Condition], setting: str = "") -> bool:
    """Whether an operation is only reached under a condition that is reported with it and need not come about."""
    return bool(formatted((condition for condition in path if not condition.certain), setting))


def can_hold(path: Iterable[Condition], setting: str = "") -> bool:
    """Whether the conditions on the way to an operation can all be met."""
    path = tuple(path)
    arms: dict[int, int] = {}
    if any(arms.setdefault(condition.key, condition.arm) != condition.arm for condition in path):
        return False
    texts = formatted(path, setting)
    return len(texts) < 2 or _consistent(texts)


@lru_cache(maxsize=4096)
def _consistent(texts: tuple[str, ...]) -> bool:
    known: dict[str, _Known] = {}
    for text in texts:
        for subject, kind, value in _atoms(text):
            known.setdefault(subject, _Known()).add(kind, value)
    return all(each.is_possible for each in known.values())


@dataclass(slots=True)
class _Known:
    """What conditions say about one value."""

    equal: list[Any] = field(default_factory=list)
    unequal: list[Any] = field(default_factory=list)
    #: The constants it is one of, for each list of constants.
    among: list[tuple[Any, ...]] = field(default_factory=list)
    truths: set[bool] = field(default_factory=set)
    #: Bounds, and whether they themselves are excluded.
    low: tuple[float, bool] = (-inf, False)
    high: tuple[float, bool] = (inf, False)
    ordered: bool = False

    def add(self, kind: type[ast.cmpop] | bool, value: Value) -> None:
        """Take in one condition: a comparison with a constant, or whether the value is true."""
        if isinstance(kind, bool):
            self.truths.add(kind)
        elif kind in _EQUALITIES:
            self.equal.append(value)
        elif kind in _INEQUALITIES:
            self.unequal.append(value)
        elif kind is ast.In and isinstance(value, tuple):
            self.among.append(value)
        elif kind is ast.NotIn and isinstance(value, tuple):
            self.unequal += value
        elif isinstance(value, (int, float)):
            self.ordered = True
            if kind in (ast.Gt, ast.GtE):
                self.low = max(self.low, (value, kind is ast.Gt))
            else:
                bound = value, kind is ast.Lt
                self.high = bound if (bound[0], not bound[1]) < (self.high[0], not self.high[1]) else self.high

    @property
    def is_possible(self) -> bool:
        """Whether a value can be all that."""
        if len(self.truths) > 1 or not _is_below(self.low, self.high):
            return False
        if not self.equal and not self.among:
            return True
        candidates = [*self.equal, *(constant for constants in self.among for constant in constants)]
        return any(self._allows(candidate) for candidate in candidates)

    def _allows(self, value: Value) -> bool:
        if not all(_same(value, other) for other in self.equal) or any(_same(value, other) for other in self.unequal):
            return False
        if not all(any(_same(value, other) for other in constants) for constants in self.among):
            return False
        if any(bool(value) is not truth for truth in self.truths):
            return False
        if not self.ordered:
            return True
        return isinstance(value, (int, float)) and _is_below(self.low, (value, False)) and _is_below((value, False), self.high)


def _is_below(low: tuple[float, bool], high: tuple[float, bool]) -> bool:
    return low[0] < high[0] or (low[0] == high[0] and not low[1] and not high[1])


def _same(a: Value, b: Value) -> bool:
    return bool(a == b) and (a is None) == (b is None) and isinstance(a, str) == isinstance(b, str)


#: A subject, how it is compared (or whether it is true), and with which constants.
_Atom = tuple[str, "type[ast.cmpop] | bool", Any]


def _atoms(text: str) -> Iterator[_Atom]:
    """The comparisons whose conjunction a condition is, as far as it is one."""
    tree = abstract_expression(text)
    if tree is not None:
        yield from _atoms_of(tree, holds=True)


def _atoms_of(node: ast.expr, *, holds: bool) -> Iterator[_Atom]:
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield from _atoms_of(node.operand, holds=not holds)
    elif isinstance(node, ast.BoolOp):
        if isinstance(node.op, ast.And) is holds:
            for value in node.values:
                yield from _atoms_of(value, holds=holds)
    elif isinstance(node, ast.Compare):
        if len(node.ops) == 1:
            yield from _comparison(node.left, type(node.ops[0]), node.comparators[0], holds)
    elif _is_stable(node):
        yield ast.unparse(node), holds, None


def _comparison(left: ast.expr, kind: type[ast.cmpop], right: ast.expr, holds: bool) -> Iterator[_Atom]:
    if isinstance(right, ast.Name) and right.id in _WORDS and kind in (ast.Is, ast.IsNot) and _is_stable(left):
        yield ast.unparse(left), (_WORDS[right.id] is (kind is ast.Is)) is holds, None
        return
    kind = kind if holds else _OPPOSITE[kind]
    if _is_constant(left) and not _is_constant(right) and kind not in (ast.In, ast.NotIn):
        left, right, kind = right, left, _SWAPPED.get(kind, kind)
    if not _is_stable(left):
        return
    if _is_constant(right):
        value = ast.literal_eval(right)
        if isinstance(value, (tuple, list, set, frozenset)) is (kind in (ast.In, ast.NotIn)):
            yield ast.unparse(left), kind, tuple(value) if isinstance(value, (tuple, list, set, frozenset)) else value
    elif _is_stable(right):
        yield from _between_names(ast.unparse(left), kind, ast.unparse(right))


def _between_names(left: str, kind: type[ast.cmpop], right: str) -> Iterator[_Atom]:
    """A comparison of two values is one fact that holds or does not."""
    if kind in (ast.Gt, ast.LtE):
        left, right, kind = right, left, _SWAPPED[kind]
    elif kind not in (ast.Lt, ast.GtE, ast.In, ast.NotIn):
        left, right = sorted((left, right))
    positive = kind in (ast.Eq, ast.Is, ast.Lt, ast.In)
    plain = kind if positive else _OPPOSITE[kind]
    yield f"{left} {plain.__name__} {right}", positive, None


def _is_constant(node: ast.expr) -> bool:
    try:
        ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return False
    return True


def _is_stable(node: ast.expr) -> bool:
    """Whether an expression gives the same each time: nothing but pure functions is called in it."""
    return all(
        _called(part) in _PURE if isinstance(part, ast.Call) else not isinstance(part, (ast.NamedExpr, ast.Await))
        for part in ast.walk(node)
    )


def _called(call: ast.Call) -> str:
    func = call.func
    return func.id if isinstance(func, ast.Name) else func.attr if isinstance(func, ast.Attribute) else ""
