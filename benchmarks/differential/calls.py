"""Calls of library functions before they are written down, and what can be changed about them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, TypeAlias

from benchmarks.differential.tensors import TYPES, WHOLES, Tensor


@dataclass(frozen=True, slots=True)
class Code:
    """An argument that is source text."""

    text: str


@dataclass(frozen=True, slots=True)
class Row:
    """Arguments in a list or a tuple."""

    items: tuple[Argument, ...]
    brackets: str = "[]"


Argument: TypeAlias = "Tensor | Code | Row | bool | int | float | complex | str | None"


@dataclass(frozen=True, slots=True)
class Call:
    """A function by its qualified name with its arguments; ``built`` are those that a class is constructed with before its
    object is called. ``method`` and ``sign`` are other spellings of the function, if it has them, ``in_place`` the name of the
    method that changes its receiver, ``out`` whether it takes ``out``; ``keywords`` has the names of its positions."""

    name: str
    args: tuple[Argument, ...]
    kwargs: Mapping[str, Argument] = field(default_factory=dict)
    built: Call | None = None
    method: str = ""
    sign: str = ""
    in_place: str = ""
    out: bool = False
    keywords: tuple[str, ...] = ()


def tensors(call: Call) -> Iterator[Tensor]:
    """The tensors that a call is given."""
    for argument in (*call.args, *call.kwargs.values()):
        yield from _tensors(argument)


def _tensors(argument: Argument) -> Iterator[Tensor]:
    if isinstance(argument, Tensor):
        yield argument
    elif isinstance(argument, Row):
        for item in argument.items:
            yield from _tensors(item)


def mapped(call: Call, change: Callable[[Argument], Argument]) -> Call:
    """A call with every argument, those in rows included, put through a function."""
    kwargs = {name: _mapped(value, change) for name, value in call.kwargs.items()}
    built = mapped(call.built, change) if call.built is not None else None
    return replace(call, args=tuple(_mapped(value, change) for value in call.args), kwargs=kwargs, built=built)


def _mapped(argument: Argument, change: Callable[[Argument], Argument]) -> Argument:
    if isinstance(argument, Row):
        return replace(argument, items=tuple(_mapped(item, change) for item in argument.items))
    return change(argument)


def _one(call: Call, chosen: Callable[[Argument], bool], change: Callable[[Argument], Argument], source: random.Random) -> Call:
    """A call with one of the arguments of a kind changed."""
    found: list[Argument] = []
    mapped(call, lambda argument: found.append(argument) or argument)
    places = [number for number, argument in enumerate(found) if chosen(argument)]
    if not places:
        return call
    at, count = source.choice(places), iter(range(len(found)))
    return mapped(call, lambda argument: change(argument) if next(count) == at else argument)


# --- changes ----------------------------------------------------------------------------------------------------------


def other_sizes(call: Call, source: random.Random) -> Call:
    """Every size that occurs is replaced by another one, everywhere: what fitted still does, mostly."""
    sizes = sorted({size for tensor in tensors(call) for size in tensor.shape if size > 1})
    renamed = {size: source.choice((1, 2, 3, 4, 6, 7)) for size in sizes if source.random() < 0.7}

    def change(argument: Argument) -> Argument:
        if isinstance(argument, Tensor):
            return argument.resized(tuple(renamed.get(size, size) for size in argument.shape), source)
        if isinstance(argument, int) and not isinstance(argument, bool) and argument > 2:
            return renamed.get(argument, argument)
        return argument

    return mapped(call, change)


def one_size(call: Call, source: random.Random) -> Call:
    """A tensor gets another size along one axis."""

    def change(argument: Argument) -> Argument:
        assert isinstance(argument, Tensor)
        at = source.randrange(len(argument.shape))
        size = source.choice((0, 1, 2, argument.shape[at] + 1, max(argument.shape[at] - 1, 0), argument.shape[at] * 2))
        return argument.resized((*argument.shape[:at], min(size, 12), *argument.shape[at + 1 :]), source)

    return _one(call, lambda a: isinstance(a, Tensor) and bool(a.shape), change, source)


def one_rank(call: Call, source: random.Random) -> Call:
    """A tensor gets an axis more or less, or is empty, or a single number."""

    def change(argument: Argument) -> Argument:
        assert isinstance(argument, Tensor)
        shape, way = argument.shape, source.random()
        if way < 0.3:
            return argument.resized((source.choice((1, 2, 3)), *shape), source)
        if way < 0.5:
            return argument.resized((*shape, source.choice((1, 2))), source)
        if way < 0.8:
            return argument.resized(shape[1:], source)
        return argument.resized((0,) if way < 0.9 else (), source)

    return _one(call, lambda a: isinstance(a, Tensor), change, source)


def one_type(call: Call, source: random.Random) -> Call:
    """A tensor gets another element type."""
    wanted = source.choice(TYPES)
    return _one(call, lambda a: isinstance(a, Tensor), lambda a: a.typed(wanted) if isinstance(a, Tensor) else a, source)


def all_types(call: Call, source: random.Random) -> Call:
    """All tensors of the first one's type get another one."""
    first = next(tensors(call), None)
    if first is None:
        return call
    wanted = source.choice(TYPES)
    return mapped(call, lambda a: a.typed(wanted) if isinstance(a, Tensor) and a.dtype == first.dtype else a)


def one_layout(call: Call, source: random.Random) -> Call:
    """A tensor lies in memory in another way."""

    def change(argument: Argument) -> Argument:
        assert isinstance(argument, Tensor)
        axes = list(range(len(argument.shape)))
        source.shuffle(axes)
        return replace(argument, layout=source.choice(("permuted", "permuted", "strided", "expanded")), axes=tuple(axes))

    return _one(call, lambda a: isinstance(a, Tensor) and len(a.shape) > 1, change, source)


#: Numbers that an argument may be changed to.
_NUMBERS: Final = (-4, -3, -2, -1, 0, 1, 2, 3, 5)


def one_number(call: Call, source: random.Random) -> Call:
    """A number, text or switch becomes another one."""

    def change(argument: Argument) -> Argument:
        if isinstance(argument, bool):
            return not argument
        if isinstance(argument, int):
            return source.choice((*_NUMBERS, argument + 1, argument - 1, -argument)) if source.random() < 0.93 else 1.5
        if isinstance(argument, float):
            return source.choice((0.0, 1.0, -1.0, 0.3, 2, argument * 2, -argument))
        return argument

    return _one(call, lambda a: isinstance(a, bool | int | float), change, source)


def fewer_arguments(call: Call, source: random.Random) -> Call:
    """A keyword is left out, or the last argument."""
    if call.kwargs:
        left = source.choice(list(call.kwargs))
        return replace(call, kwargs={name: value for name, value in call.kwargs.items() if name != left})
    return replace(call, args=call.args[:-1]) if len(call.args) > 1 else call


def exchanged(call: Call, source: random.Random) -> Call:
    """Two tensors change places."""
    places = [number for number, argument in enumerate(call.args) if isinstance(argument, Tensor)]
    if len(places) < 2:
        return call
    first, second = source.sample(places, 2)
    args = list(call.args)
    args[first], args[second] = args[second], args[first]
    return replace(call, args=tuple(args))


def number_for_tensor(call: Call, source: random.Random) -> Call:
    """A number stands in a tensor's place."""

    def change(argument: Argument) -> Argument:
        assert isinstance(argument, Tensor)
        return source.choice((1, 2, 3)) if argument.dtype in WHOLES else source.choice((0.5, 2, True))

    return _one(call, lambda a: isinstance(a, Tensor), change, source)


Change: TypeAlias = Callable[[Call, random.Random], Call]
#: What leaves most calls valid, and what does not, with how often each is drawn.
HARMLESS: Final[dict[Change, int]] = {other_sizes: 6, all_types: 2, one_layout: 3}
HARMFUL: Final[dict[Change, int]] = {
    one_size: 5, one_rank: 4, one_type: 5, one_number: 5, fewer_arguments: 1, exchanged: 1, number_for_tensor: 1,
}  # fmt: skip


def changed(call: Call, changes: Mapping[Change, int], source: random.Random) -> Call:
    """A call with one change."""
    (change,) = source.choices(list(changes), weights=list(changes.values()))
    return change(call, source)
