"""``match`` statements: patterns that bind names, decided where the subject is known."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.ir.values import ClassVal, DictVal, LibSymbol, ListVal, Value, unwrap
from dllint.lower import attributes, branches, comparisons, dataclass, identity, instances, mro
from dllint.lower.dispatch import executes
from dllint.lower.scopes import MISSING, NORMAL

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine
    from dllint.lower.machine import Interpreter


#: What the names of a pattern stand for where it fits.
Names = dict[str, Value]


@executes(cst.Match)
def _match(m: Interpreter, node: cst.Match) -> int:
    subject = unwrap(m.eval(node.subject))
    return _cases(m, subject, list(node.cases))


def _cases(m: Interpreter, subject: Value, cases: list[cst.MatchCase]) -> int:
    """The first case that fits is executed; a case that may fit is one arm, the cases after it are the other."""
    if not cases:
        return NORMAL
    case, *others = cases
    names: Names = {}
    answer = fits(m, case.pattern, subject, names)

    def others_fit() -> int:
        return _cases(m, subject, others)

    def this_fits() -> int:
        for name, value in names.items():
            m.store(name, value)
        if case.guard is None:
            return m.block(case.body)
        return branches.fork(m, case.guard, m.eval(case.guard), lambda: m.block(case.body), others_fit)

    if answer is not None:
        return this_fits() if answer else others_fit()
    question = m.derive(("match", id(case), id(subject)), lambda: Unknown("undecided", "match"), case, subject)
    if isinstance(subject, Unknown) and subject.reason == "unknown-rank":
        m.known.of_rank.note(question, True)
    return branches.fork(m, case.pattern, question, this_fits, others_fit)


def fits(m: Interpreter, pattern: cst.CSTNode, subject: Value, names: Names) -> bool | None:
    """Whether a value matches a pattern (``None`` if undecided), and what the pattern's names stand for then."""
    known = _PATTERNS.get(type(pattern))
    return known(m, pattern, subject, names) if known is not None else None


def _all(answers: list[bool | None]) -> bool | None:
    return False if False in answers else None if None in answers else True


def _value(m: Interpreter, pattern: cst.MatchValue, subject: Value, _names: Names) -> bool | None:
    return m.truth(comparisons.compare(m, "eq", subject, m.eval(pattern.value)))


def _singleton(m: Interpreter, pattern: cst.MatchSingleton, subject: Value, _names: Names) -> bool | None:
    return m.truth(comparisons.compare(m, "is", subject, m.eval(pattern.value)))


def _as(m: Interpreter, pattern: cst.MatchAs, subject: Value, names: Names) -> bool | None:
    answer = fits(m, pattern.pattern, subject, names) if pattern.pattern is not None else True
    if answer is not False and pattern.name is not None:
        names[pattern.name.value] = subject
    return answer


def _or(m: Interpreter, pattern: cst.MatchOr, subject: Value, names: Names) -> bool | None:
    undecided = False
    for option in pattern.patterns:
        answer = fits(m, option.pattern, subject, names)
        if answer:
            return None if undecided else True
        undecided = undecided or answer is None
    return None if undecided else False


def _sequence(m: Interpreter, pattern: cst.MatchList | cst.MatchTuple, subject: Value, names: Names) -> bool | None:
    parts = list(pattern.patterns)
    if not isinstance(subject, (ListVal, tuple, Unknown)):
        return False
    items = m.iterate(subject)
    star = next((i for i, part in enumerate(parts) if isinstance(part, cst.MatchStar)), None)
    if isinstance(items, Unknown):
        return _all([None, *(_part(m, part, items, names) for part in parts)])
    if len(items) != len(parts) if star is None else len(items) < len(parts) - 1:
        return False
    if star is not None:
        after = len(parts) - star - 1
        middle = ListVal(items[star : len(items) - after])
        items = [*items[:star], middle, *items[len(items) - after :]]
    return _all([_part(m, part, item, names) for part, item in zip(parts, items, strict=True)])


def _part(m: Interpreter, part: cst.MatchSequenceElement | cst.MatchStar, item: Value, names: Names) -> bool | None:
    if isinstance(part, cst.MatchStar):
        if part.name is not None:
            names[part.name.value] = item
        return True
    return fits(m, part.value, item, names)


def _mapping(m: Interpreter, pattern: cst.MatchMapping, subject: Value, names: Names) -> bool | None:
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
        answers.append(fits(m, element.pattern, found, names))
    if pattern.rest is not None:
        rest = {k: v for k, v in subject.items.items() if k not in taken} if isinstance(subject, DictVal) else {}
        names[pattern.rest.value] = DictVal(rest, subject if isinstance(subject, Unknown) else subject.rest)
    return _all(answers) if isinstance(subject, DictVal) else None


def _class(m: Interpreter, pattern: cst.MatchClass, subject: Value, names: Names) -> bool | None:
    cls = m.eval(pattern.cls)
    answers = [instances.is_instance(subject, cls)]
    if answers[0] is False:
        return False
    places = _match_args(m, cls)
    for position, part in enumerate(pattern.patterns):
        name = places[position] if position < len(places) else None
        if isinstance(cls, LibSymbol):
            answers.append(fits(m, part.value, subject, names))
        else:
            answers.append(_attribute(m, part.value, subject, name, names))
    answers += [_attribute(m, keyword.pattern, subject, keyword.key.value, names) for keyword in pattern.kwds]
    return _all(answers)


def _match_args(m: Machine, cls: Value) -> list[Value]:
    """The attributes that positional patterns of a class are compared with."""
    if not isinstance(cls, ClassVal):
        return []
    named = m.iterate(mro.lookup(cls, "__match_args__"))
    return named if isinstance(named, list) else list(dataclass.fields(cls)) if cls.is_dataclass else []


def _attribute(m: Interpreter, pattern: cst.CSTNode, subject: Value, name: Value, names: Names) -> bool | None:
    """Whether an attribute matches a pattern; what has no such attribute does not."""
    if not isinstance(name, str):
        return _all([None, fits(m, pattern, Unknown("match-args"), names)])
    there = attributes.has(subject, name)
    return False if there is False else fits(m, pattern, attributes.get(m, subject, name), names)


_PATTERNS: dict[type, Callable[[Any, Any, Value, Names], bool | None]] = {
    cst.MatchValue: _value,
    cst.MatchSingleton: _singleton,
    cst.MatchAs: _as,
    cst.MatchOr: _or,
    cst.MatchList: _sequence,
    cst.MatchTuple: _sequence,
    cst.MatchMapping: _mapping,
    cst.MatchClass: _class,
}
