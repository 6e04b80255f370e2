"""List, set, dict comprehensions and generator expressions."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import DictVal, IterVal, ListVal, RangeVal, Value, unwrap
from dllint.lower import branches, loops, sets
from dllint.lower.assignment import assign
from dllint.lower.dispatch import evaluates
from dllint.lower.identity import key_of
from dllint.lower.iteration import PER_STATEMENT, element, known, one_by_one
from dllint.lower.joining import further, join, join_all
from dllint.lower.scopes import MISSING, NORMAL, Locals, Scope

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter
    from dllint.lower.parts import Joins

_MAX_ITEMS = 512
#: How many entries of a table of computed numbers (sines of positions) are executed one by one before the rest is executed as
#: one, by what an entry is: a number of Python costs less, and its value is used (rates of dropout by depth).
_OF_A_TABLE: Final[dict[int, type[ListVal] | type[TensorVal] | type[float]]] = {8: ListVal, 16: TensorVal, 64: float}
#: Numbers of a table that is held with each entry; of a larger one the length stays unknown.
_MAX_CELLS = 1 << 18


class _Collector:
    """The elements that a comprehension has produced so far; ``rest`` if some came from an iterable of unknown length.
    ``apart``: those that come from what is there on one of two paths are ``perhaps``."""

    __slots__ = ("_machine", "apart", "items", "perhaps", "rest", "unsure")

    def __init__(self, m: Interpreter, apart: bool) -> None:
        self._machine = m
        self.apart = apart
        self.perhaps: list[Value] = []
        self.items: list[Value] = []
        self.rest: Value = None
        self.unsure = 0

    def add(self, value: Value) -> None:
        """One more element."""
        if self.unsure or self.rest is not None:
            self.rest = further(value if self.rest is None else join(self._machine, self.rest, value))
        else:
            self.items.append(value)

    def repeat(self, count: int) -> None:
        """The entry of a table that stands for any of ``count`` items is held once for each, unless these are too many."""
        entry = Unknown("unknown-element", "table") if self.rest is None else self.rest
        cells = _cells(entry) * count
        self.rest = None if cells <= _MAX_CELLS else entry
        if self.rest is None:
            self._machine.budget.fuel -= cells // PER_STATEMENT
            self.items += [_row(entry) for _ in range(count)]


def _collect(
    m: Interpreter, node: cst.BaseSimpleComp | cst.DictComp, produce: Callable[[], Value], *, apart: bool = False
) -> _Collector:
    frame = m.frame
    outer = frame.scope
    frame.scope = Scope(Locals(), outer, outer.module)
    frame.scope.outer = outer.outer
    out = _Collector(m, apart and node.for_in.inner_for_in is None and not node.for_in.ifs)
    try:
        _clause(m, node.for_in, produce, out)
    finally:
        frame.scope = outer
    return out


def _clause(m: Interpreter, clause: cst.CompFor, produce: Callable[[], Value], out: _Collector) -> None:
    iterable = unwrap(m.eval(clause.iter))
    m.frame.node = clause.iter
    if out.apart and isinstance(iterable, IterVal) and iterable.perhaps:
        for item in iterable.items:
            _element(m, clause, item, produce, out)
        for item in iterable.perhaps:
            assign(m, clause.target, item)
            out.perhaps.append(produce())
        return
    items, left = known(m, iterable), 0
    if isinstance(items, list) and len(items) <= _MAX_ITEMS:
        table, before = not out.unsure and _fills_table(clause, iterable, items), len(out.items)
        for item in one_by_one(m.journal, iterable, items):
            m.budget.fuel -= 1
            if m.budget.fuel < 0:
                out.rest = Unknown("fuel")
                return
            _element(m, clause, item, produce, out)
            done = len(out.items) - before
            if table and done in _OF_A_TABLE and _is_table(out.items[before:], done):
                left, iterable = len(items) - done, ListVal(items[done:])
                break
        else:
            return
    item, loop = element(m, iterable), m.frame.loop

    def one_pass() -> int:
        _element(m, clause, item, produce, out)
        return NORMAL

    out.unsure += 1
    m.frame.loop = None
    try:
        loops.fixpoint(m, m.frame.statement, one_pass)
    finally:
        m.frame.loop = loop
        out.unsure -= 1
    if left:
        out.repeat(left)


def _fills_table(clause: cst.CompFor, iterable: Value, items: list[Value]) -> bool:
    """Whether a clause may give a table of many entries, one for each item of something that it does not use up."""
    alone = clause.inner_for_in is None and not clause.ifs
    return alone and len(items) > min(_OF_A_TABLE) and isinstance(iterable, (RangeVal, ListVal, tuple))


def _is_table(entries: list[Value], count: int) -> bool:
    return all(isinstance(entry, _OF_A_TABLE[count]) for entry in entries) and all(map(_is_entry, entries))


def _is_entry(value: Value) -> bool:
    """Whether a value is a number that was computed, or a list of such numbers: an entry of a table. Those of a list that were
    executed as one may be unknown."""
    if isinstance(value, ListVal):
        first, *others = value.items or [None]
        return value.rest is None and _is_entry(first) and all(isinstance(x, Unknown) or _is_entry(x) for x in others)
    return isinstance(value, float) or (isinstance(value, TensorVal) and value.shape == ())


def _row(value: Value) -> Value:
    """One more entry of a table: a list of its own."""
    return ListVal([_row(item) for item in value.items], value.rest) if isinstance(value, ListVal) else value


def _cells(value: Value) -> int:
    return 1 + sum(map(_cells, value.items)) if isinstance(value, ListVal) else 1


def _element(m: Interpreter, clause: cst.CompFor, item: Value, produce: Callable[[], Value], out: _Collector) -> None:
    assign(m, clause.target, item)
    unsure = 0
    for condition in clause.ifs:
        test = branches.ask(m, m.eval(condition.test))
        if test.value is False:
            out.unsure -= unsure
            return
        if test.value is None:
            unsure += 1
            out.unsure += 1
    if clause.inner_for_in is not None:
        _clause(m, clause.inner_for_in, produce, out)
    else:
        out.add(produce())
    out.unsure -= unsure


@evaluates(cst.ListComp)
def _list(m: Interpreter, node: cst.ListComp) -> Value:
    found = _collect(m, node, lambda: m.eval(node.elt))
    return ListVal(found.items, found.rest)


@evaluates(cst.GeneratorExp)
def _generator(m: Interpreter, node: cst.GeneratorExp) -> Value:
    found = _collect(m, node, lambda: m.eval(node.elt))
    return IterVal(found.items, found.rest)


@evaluates(cst.SetComp)
def _set(m: Interpreter, node: cst.SetComp) -> Value:
    found = _collect(m, node, lambda: m.eval(node.elt))
    return sets.set_of(m, found.items, found.rest)


@evaluates(cst.DictComp)
def _dict(m: Interpreter, node: cst.DictComp) -> Value:
    found = _collect(m, node, lambda: (m.eval(node.key), m.eval(node.value)), apart=True)
    out = DictVal(rest=found.rest[1] if isinstance(found.rest, tuple) else None)
    m.journal.note_created(out.items)
    for pair in found.items:
        key, value = pair if isinstance(pair, tuple) else (Unknown("unknown-key"), pair)
        stored = key_of(key)
        if stored is MISSING:
            out.rest = value
        else:
            out.items[stored] = value
    if found.perhaps:
        _add_perhaps(m, out, [pair for pair in found.perhaps if isinstance(pair, tuple)])
    return out


def _add_perhaps(m: Joins, out: DictVal, pairs: list[tuple[Value, ...]]) -> None:
    """Entries that a new dict has on one of two paths."""
    entries = {key_of(key): value for key, value in pairs}
    alone = out.rest is None and MISSING not in entries and not entries.keys() & out.items.keys()
    out.perhaps = entries if alone else {}
    out.rest = further(join_all(m, [*([] if out.rest is None else [out.rest]), *entries.values()]))
    for key in entries.keys() & out.items.keys():
        out.items[key] = join(m, out.items[key], entries[key])
