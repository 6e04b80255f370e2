"""``itertools``."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable
from functools import reduce
from typing import TYPE_CHECKING

import libcst as cst

from dllint.domains.dim import counted
from dllint.domains.lattice import Unknown
from dllint.ir.values import Arguments, IterVal, Value, unwrap
from dllint.lower import bulk, identity, operators
from dllint.lower.iteration import element, one_by_one
from dllint.lower.joining import join_all
from dllint.lower.natives.arguments import argument, given
from dllint.lower.natives.native import Method, native
from dllint.lower.natives.sequences import listed

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine
    from dllint.lower.machine import Interpreter

_LONGEST = 2048
#: Elements of one choice.
_WIDEST = 4096


@native("itertools.chain")
def _chain(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    items: list[Value] = []
    further: list[Value] = [] if arguments.star is None else [Unknown("unknown-arguments", "chain")]
    for value in given(arguments):
        found, more = listed(m, value)
        (further if further else items).extend(found)
        further += [] if more is None else [more]
    return IterVal(items, join_all(m, further) if further else None)


@native("itertools.chain.from_iterable")
def _chain_from(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    found, rest = listed(m, argument(arguments, 0))
    return _chain(m, None, Arguments(tuple(found))) if rest is None else IterVal([], Unknown("unknown-length"))


def _all_known(m: Interpreter, arguments: Arguments) -> list[list[Value]] | None:
    if arguments.star is not None:
        return None
    out = []
    for value in given(arguments):
        found = m.consume(value)
        if not isinstance(found, list):
            return None
        out.append(found)
    return out


@native("itertools.product")
def _product(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    known = _all_known(m, arguments)
    repeat = argument(Arguments((), arguments.kwargs), 0, "repeat", 1)
    if known is None or not isinstance(repeat, int) or not 0 <= repeat <= _WIDEST:
        return IterVal([], Unknown("unknown-length"))
    return _first(itertools.product(*known, repeat=repeat))


def _first(choices: Iterable[tuple[Value, ...]]) -> IterVal:
    """All combinations; of very many, one that stands for all."""
    found: list[Value] = list(itertools.islice(choices, _LONGEST + 1))
    return IterVal(found) if len(found) <= _LONGEST else IterVal([], found[0])


def _chosen(choose: Callable[[list[Value], int], Iterable[tuple[Value, ...]]]) -> Method[Value]:
    """All choices of so many elements."""

    def choices(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
        items, rest = listed(m, argument(arguments, 0))
        size = argument(arguments, 1, "r", len(items))
        if rest is not None or not isinstance(size, int) or not 0 <= size <= _WIDEST:
            return IterVal([], Unknown("unknown-length"))
        return _first(choose(items, size))

    return choices


native("itertools.combinations")(_chosen(itertools.combinations))
native("itertools.permutations")(_chosen(itertools.permutations))
native("itertools.combinations_with_replacement")(_chosen(itertools.combinations_with_replacement))


@native("itertools.repeat")
def _repeat(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    value, times = argument(arguments, 0), argument(arguments, 1, "times")
    return IterVal([value] * times) if isinstance(times, int) and 0 <= times <= _LONGEST else IterVal([], value)


@native("itertools.islice")
def _islice(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    """A part of an iterable; of an iterator it takes the elements up to the last one that it asks for."""
    value = argument(arguments, 0)
    limits = [limit for limit in given(arguments)[1:] if limit is None or isinstance(limit, int)]
    known = arguments.star is None and len(limits) == len(arguments.args) - 1 and 0 < len(limits) <= 3
    found = m.iterate(value)
    if (
        isinstance(value, IterVal)
        and value.counter is not None
        and known
        and isinstance(last := limits[-1 if len(limits) < 3 else 1], int)
        and bulk.may_hold(last)
    ):
        found = []
    if known and isinstance(found, list) and all(limit is None or limit >= 0 for limit in limits):
        cut = slice(*limits)
        taken = itertools.islice(one_by_one(m.journal, value, found), cut.stop)
        return IterVal(list(itertools.islice(taken, cut.start, cut.stop, cut.step)))
    rest = element(m, value) if isinstance(found, Unknown) else None
    return IterVal([], rest if rest is not None else Unknown("unknown-length"))


@native("itertools.pairwise")
def _pairwise(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    items, rest = listed(m, argument(arguments, 0))
    return IterVal(list(itertools.pairwise(items)), None if rest is None else (rest, rest))


@native("itertools.count")
def _count(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    start, step = argument(arguments, 0, "start", 0), argument(arguments, 1, "step", 1)
    known = (start, step) if isinstance(start, int) and isinstance(step, int) else None
    rising = known is not None and min(known) >= 0
    return IterVal([], counted("i") if rising else Unknown("count"), counter=known)


@native("itertools.cycle")
def _cycle(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    items, rest = listed(m, argument(arguments, 0))
    every = [*items, *([] if rest is None else [rest])]
    return IterVal([], reduce(m.join, every) if every else Unknown("cycle"))


@native("itertools.accumulate")
def _accumulate(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    items, rest = listed(m, argument(arguments, 0))
    function, initial = argument(arguments, 1, "func"), arguments.kwargs.get("initial")
    if rest is not None:
        return IterVal([], Unknown("accumulate"))
    items = items if initial is None else [unwrap(initial), *items]
    out = items[:1]
    for item in items[1:]:
        pair = Arguments((out[-1], item))
        out.append(operators.binary(m, cst.Add, *pair.args) if function is None else m.call(function, pair))
    return IterVal(out)


@native("itertools.takewhile")
def _take_while(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    return _split(m, arguments)[0]


@native("itertools.dropwhile")
def _drop_while(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    return _split(m, arguments)[1]


def _split(m: Interpreter, arguments: Arguments) -> tuple[Value, Value]:
    """The elements in front for which a condition holds, and the others."""
    condition, (items, rest) = argument(arguments, 0), listed(m, argument(arguments, 1))
    every = [*items, *([] if rest is None else [rest])]
    for place, item in enumerate(items):
        answer = m.truth(m.call(condition, Arguments((item,))))
        if answer is False:
            return IterVal(items[:place]), IterVal(items[place:], rest)
        if answer is None:
            return IterVal([], reduce(m.join, every)), IterVal([], reduce(m.join, every))
    return IterVal(items, rest), IterVal([], rest)


@native("itertools.starmap")
def _starmap(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    function, (rows, rest) = argument(arguments, 0), listed(m, argument(arguments, 1))
    known = [m.consume(row) for row in rows]
    if rest is not None or not all(isinstance(row, list) for row in known):
        return IterVal([], Unknown("starmap"))
    return IterVal([m.call(function, Arguments(tuple(row))) for row in known if isinstance(row, list)])


@native("itertools.compress")
def _compress(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    (items, rest), (tests, more) = listed(m, argument(arguments, 0)), listed(m, argument(arguments, 1))
    answers = [m.truth(test) for test in tests]
    if rest is not None or more is not None or None in answers:
        return IterVal([], Unknown("compress"))
    return IterVal([item for item, answer in zip(items, answers, strict=False) if answer])


@native("itertools.tee")
def _tee(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    items, rest = listed(m, argument(arguments, 0))
    count = argument(arguments, 1, "n", 2)
    if not isinstance(count, int) or not bulk.may_hold(count * (len(items) + 1)):
        return Unknown("tee")
    return tuple(IterVal(list(items), rest) for _ in range(count))


@native("itertools.groupby")
def _group(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    items, rest = listed(m, argument(arguments, 0))
    key = argument(arguments, 1, "key")
    groups: list[tuple[Value, IterVal]] = []
    for item in items:
        value = item if key is None else m.call(key, Arguments((item,)))
        same = identity.equals(m, groups[-1][0], value) if groups else False
        if same is None:
            return IterVal([], (value, IterVal([], Unknown("groupby"))))
        if same:
            groups[-1][1].items.append(item)
        else:
            groups.append((value, IterVal([item])))
    return IterVal(list(groups), None if rest is None else (Unknown("unknown-key"), IterVal([], rest)))
