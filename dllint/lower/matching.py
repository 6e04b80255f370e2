"""``match`` statements: patterns that bind names, decided where the subject is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.ir.values import ClassVal, DictVal, LibSymbol, ListVal, Value
from dllint.lower import attributes, branches, classes, comparisons, identity
from dllint.lower.dispatch import executes
from dllint.lower.natives import objects
from dllint.lower.scopes import MISSING, NORMAL

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter


@executes(cst.Match)
def _match(m: Interpreter, node: cst.Match) -> int:
    subject = m.plain(m.eval(node.subject))
    return _cases(m, subject, list(node.cases))


def _cases(m: Interpreter, subject: Value, cases: list[cst.MatchCase]) -> int:
    """The first case that fits is executed; a case that may fit is one arm, the cases after it are the other."""
    if not cases:
        return NORMAL
    case, *others = cases
    answer = fits(m, case.pattern, subject)
    if answer is False:
        return _cases(m, subject, others)
    if case.guard is not None:
        return branches.fork(m, case.guard, m.eval(case.guard), lambda: m.block(case.body), lambda: _cases(m, subject, others))
    if answer is True:
        return m.block(case.body)
    question = m.derive(("match", id(case), id(subject)), lambda: Unknown("undecided", "match"), subject)
    return branches.fork(m, case.pattern, question, lambda: m.block(case.body), lambda: _cases(m, subject, others))


def fits(m: Interpreter, pattern: Any, subject: Value) -> bool | None:
    """Whether a value matches a pattern (``None`` if undecided); the pattern's names are bound on the way."""
    known = _PATTERNS.get(type(pattern))
    return known(m, pattern, subject) if known is not None else None


def _all(answers: list[bool | None]) -> bool | None:
    return False if False in answers else None if None in answers else True


def _value(m: Interpreter, pattern: cst.MatchValue, subject: Value) -> bool | None:
    return m.truth(comparisons.compare(m, "eq", subject, m.eval(pattern.value)))


def _singleton(m: Interpreter, pattern: cst.MatchSingleton, subject: Value) -> bool | None:
    return m.truth(comparisons.compare(m, "is", subject, m.eval(pattern.value)))


def _as(m: Interpreter, pattern: cst.MatchAs, subject: Value) -> bool | None:
    answer = fits(m, pattern.pattern, subject) if pattern.pattern is not None else True
    if answer is not False and pattern.name is not None:
        m.store(pattern.name.value, subject)
    return answer


def _or(m: Interpreter, pattern: cst.MatchOr, subject: Value) -> bool | None:
    answers = [fits(m, option.pattern, subject) for option in pattern.patterns]
    return True if True in answers else None if None in answers else False


def _sequence(m: Interpreter, pattern: Any, subject: Value) -> bool | None:
    parts = list(pattern.patterns)
    if not isinstance(subject, (ListVal, tuple, Unknown)):
        return False
    items = m.iterate(subject)
    star = next((i for i, part in enumerate(parts) if isinstance(part, cst.MatchStar)), None)
    if isinstance(items, Unknown):
        return _all([None, *(_part(m, part, items) for part in parts)])
    if len(items) != len(parts) if star is None else len(items) < len(parts) - 1:
        return False
    if star is not None:
        after = len(parts) - star - 1
        middle = ListVal(items[star : len(items) - after])
        items = [*items[:star], middle, *items[len(items) - after :]]
    return _all([_part(m, part, item) for part, item in zip(parts, items, strict=True)])


def _part(m: Interpreter, part: Any, item: Value) -> bool | None:
    if isinstance(part, cst.MatchStar):
        if part.name is not None:
            m.store(part.name.value, item)
        return True
    return fits(m, part.value, item)


def _mapping(m: Interpreter, pattern: cst.MatchMapping, subject: Value) -> bool | None:
    if not isinstance(subject, (DictVal, Unknown)):
        return False
    answers: list[bool | None] = []
    taken = []
    for element in pattern.elements:
        key = identity.key_of(m.eval(element.key))
        found = subject.items.get(key, MISSING) if isinstance(subject, DictVal) else subject
        if found is MISSING:
            return None if isinstance(subject, DictVal) and subject.rest is not None else False
        taken.append(key)
        answers.append(fits(m, element.pattern, found))
    if pattern.rest is not None:
        rest = {k: v for k, v in subject.items.items() if k not in taken} if isinstance(subject, DictVal) else {}
        m.store(pattern.rest.value, DictVal(rest, subject if isinstance(subject, Unknown) else subject.rest))
    return _all(answers) if isinstance(subject, DictVal) else None


def _class(m: Interpreter, pattern: cst.MatchClass, subject: Value) -> bool | None:
    cls = m.eval(pattern.cls)
    answers = [objects.is_instance(subject, cls)]
    if answers[0] is False:
        return False
    names = m.iterate(classes.lookup(cls, "__match_args__")) if isinstance(cls, ClassVal) else None
    for position, part in enumerate(pattern.patterns):
        name = names[position] if isinstance(names, list) and position < len(names) else None
        if isinstance(cls, LibSymbol):
            answers.append(fits(m, part.value, subject))
        elif isinstance(name, str):
            answers.append(fits(m, part.value, attributes.get(m, subject, name)))
        else:
            answers.append(fits(m, part.value, Unknown("match-args")))
    answers += [fits(m, keyword.pattern, attributes.get(m, subject, keyword.key.value)) for keyword in pattern.kwds]
    return _all(answers)


_PATTERNS: dict[type, Callable[[Any, Any, Value], bool | None]] = {
    cst.MatchValue: _value,
    cst.MatchSingleton: _singleton,
    cst.MatchAs: _as,
    cst.MatchOr: _or,
    cst.MatchList: _sequence,
    cst.MatchTuple: _sequence,
    cst.MatchMapping: _mapping,
    cst.MatchClass: _class,
}
