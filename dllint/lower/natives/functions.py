"""``functools``, ``copy``, ``itertools`` and ``warnings``-like functions."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

from dllint.domains.dim import DimExpr
from dllint.domains.lattice import Unknown
from dllint.ir.values import Arguments, IterVal, NativeVal, PartialVal, Value
from dllint.lower.lazy import ChoiceVal
from dllint.lower.natives.arguments import argument, given
from dllint.lower.natives.native import native
from dllint.lower.natives.sequences import listed
from dllint.lower.repeats import copied

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter

_LONGEST = 2048


@native("functools.partial", "functools.partialmethod")
def _partial(_m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    if not arguments.args:
        return Unknown("missing-argument", "partial")
    func, args, kwargs = argument(arguments, 0), tuple(arguments.args[1:]), dict(arguments.kwargs)
    if isinstance(func, PartialVal):  # as in Python, a partial of a partial is one partial
        return PartialVal(func.func, (*func.args, *args), {**func.kwargs, **kwargs})
    return PartialVal(func, args, kwargs)


@native("functools.wraps")
def _wraps(_m: Interpreter, _receiver: Value, _arguments: Arguments) -> Value:
    return NativeVal("wraps", lambda _machine, a: argument(a, 0))


@native("functools.lru_cache", "functools.cache", "functools.total_ordering", "functools.singledispatch",
         "contextlib.contextmanager",
         "typing.final", "typing.overload", "typing.no_type_check", "typing.runtime_checkable", "abc.abstractmethod",
         "functools.update_wrapper")  # fmt: skip
def _identity(_m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    return decorating(argument(arguments, 0))


def decorating(first: Value) -> Value:
    """What a decorator gives for its first argument: what it decorates, or a decorator where only options were given."""
    if first is None or isinstance(first, (int, DimExpr)):
        return NativeVal("identity", lambda _machine, a: argument(a, 0))
    return Unknown("undecided", "decorator") if isinstance(first, ChoiceVal) else first


@native("functools.reduce")
def _reduce(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    function, (items, rest) = argument(arguments, 0), listed(m, argument(arguments, 1))
    if rest is not None:
        return Unknown("unknown-length", "reduce")
    if len(arguments.args) > 2:
        items = [arguments.args[2], *items]
    if not items:
        return Unknown("empty-iterable")
    out = items[0]
    for item in items[1:]:
        out = m.call(function, Arguments((out, item)))
    return out


@native("copy.copy", "copy.deepcopy")
def _copy(_m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    return copied(argument(arguments, 0), {})


# --- itertools ------------------------------------------------------------------------------------


@native("itertools.chain")
def _chain(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    items: list[Value] = []
    rest: Value = None if arguments.star is None else Unknown("unknown-arguments", "chain")
    for value in given(arguments):
        found, more = listed(m, value)
        items.extend(found)
        rest = more if rest is None else rest
    return IterVal(items, rest)


@native("itertools.chain.from_iterable")
def _chain_from(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    found, rest = listed(m, argument(arguments, 0))
    return _chain(m, None, Arguments(tuple(found))) if rest is None else IterVal([], Unknown("unknown-length"))


def _all_known(m: Interpreter, arguments: Arguments) -> list[list[Value]] | None:
    if arguments.star is not None:
        return None
    out = []
    for value in given(arguments):
        found = m.iterate(value)
        if not isinstance(found, list):
            return None
        out.append(found)
    return out


@native("itertools.product")
def _product(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    known = _all_known(m, arguments)
    repeat = argument(Arguments((), arguments.kwargs), 0, "repeat", 1)
    if known is None or not isinstance(repeat, int):
        return IterVal([], Unknown("unknown-length"))
    return IterVal(list(itertools.islice(itertools.product(*known, repeat=repeat), _LONGEST)))


@native("itertools.combinations", "itertools.permutations")
def _combinations(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    items, rest = listed(m, argument(arguments, 0))
    size = argument(arguments, 1, "r")
    if rest is not None or not isinstance(size, int) or size < 0:
        return IterVal([], Unknown("unknown-length"))
    return IterVal(list(itertools.islice(itertools.combinations(items, size), _LONGEST)))


@native("itertools.repeat")
def _repeat(_m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    value, times = argument(arguments, 0), argument(arguments, 1, "times")
    return IterVal([value] * times) if isinstance(times, int) and 0 <= times <= _LONGEST else IterVal([], value)


@native("itertools.islice")
def _islice(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    items, rest = listed(m, argument(arguments, 0))
    limits = [limit for limit in given(arguments)[1:] if limit is None or isinstance(limit, int)]
    known = arguments.star is None and len(limits) == len(arguments.args) - 1 and 0 < len(limits) <= 3
    if rest is None and known and all(limit is None or limit >= 0 for limit in limits):
        return IterVal(items[slice(*limits)])
    return IterVal([], rest if rest is not None else Unknown("unknown-length"))


@native("itertools.pairwise")
def _pairwise(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    items, rest = listed(m, argument(arguments, 0))
    return IterVal(list(itertools.pairwise(items)), None if rest is None else (rest, rest))


@native("itertools.count", "itertools.cycle")
def _endless(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0, default=0)
    return IterVal([], m.fresh_size("i") if isinstance(value, int) else listed(m, value)[1] or Unknown("cycle"))


@native("itertools.accumulate")
def _accumulate(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    items, rest = listed(m, argument(arguments, 0))
    if rest is None and all(isinstance(v, (int, float)) for v in items):
        return IterVal(list(itertools.accumulate(items)))
    return IterVal([], Unknown("accumulate"))
