"""The elements of a container module (``Sequential``, ``ModuleList``, ``ModuleDict`` …): kept as attributes, in order.

A container that was filled from a list of unknown length, or in a loop of an unknown number of passes, is open, and keeps what
any of the elements in between looks like (:func:`further`), and after how many known ones they stand. Those that are
added later follow them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.kinds import as_slice
from dllint.frameworks.machine import Machine
from dllint.frameworks.torch.protocols.module_tree import NAMES, names
from dllint.ir.program import TensorVal
from dllint.ir.values import (
    Arguments,
    ClassVal,
    DictVal,
    FuncVal,
    InstanceVal,
    IterVal,
    LibSymbol,
    ListVal,
    SliceVal,
    Value,
    unwrap,
)

#: Where an open container keeps what any of its further elements looks like, and how many known ones stand in front of them.
_FURTHER: Final = "further"
_BEFORE: Final = "before"


def new(machine: Machine, cls: Value, elements: Iterable[tuple[str, Value]]) -> InstanceVal:
    """A container of library class ``cls`` with the given elements."""
    container = InstanceVal(cls, site=machine.site, state={NAMES: ListVal()})
    for name, value in elements:
        put(machine, container, name, value)
    return container


def put(machine: Machine, container: InstanceVal, name: str, value: Value) -> None:
    """Set an element; a new name becomes the last one. A class or a function is refused, so that there is no container."""
    ordered = container.state.get(NAMES)
    if not isinstance(ordered, ListVal):
        ordered = ListVal()
        machine.write(container.state, NAMES, ordered)
    if name not in ordered.items:
        machine.write(ordered.items, len(ordered.items), name)
    machine.write(container.attrs, name, machine.unknown("no-module", name) if isinstance(unwrap(value), _REFUSED) else value)


#: What no container takes for a module.
_REFUSED: Final = (LibSymbol, ClassVal, FuncVal)


def values(container: InstanceVal) -> list[Value]:
    """The elements in order."""
    return [value for _, value in items(container)]


def items(container: InstanceVal) -> list[tuple[str, Value]]:
    """Names and elements in order."""
    return [(name, unwrap(container.own(name))) for name in names(container) if name in container.attrs]


def replace(machine: Machine, container: InstanceVal, elements: Iterable[Value]) -> None:
    """Set all elements anew, numbered from 0."""
    machine.write(container.state, NAMES, ListVal())
    for position, value in enumerate(elements):
        put(machine, container, str(position), value)


def append(machine: Machine, container: InstanceVal, value: Value) -> None:
    """Add an element under the next number."""
    if machine.is_repeated(container.born):
        add_further(machine, container, value)
        return
    ordered = container.state.get(NAMES)
    put(machine, container, str(len(ordered.items) if isinstance(ordered, ListVal) else 0), value)


def extend(machine: Machine, container: InstanceVal, source: Value) -> None:
    """Add the elements of an iterable; if their number is not known, the container is open."""
    source = unwrap(source)
    found = machine.iterate(source)
    if not isinstance(found, Unknown):
        for value in found:
            append(machine, container, value)
    elif isinstance(source, (ListVal, IterVal)) and source.rest is not None:
        for value in source.items:
            append(machine, container, value)
        add_further(machine, container, source.rest)
    elif isinstance(source, InstanceVal) and (rest := further(source)) is not None:
        before, after = around(source)
        for value in before:
            append(machine, container, value)
        add_further(machine, container, rest)
        for value in after:
            append(machine, container, value)
    else:
        leave_open(container, found)


def add_further(machine: Machine, container: InstanceVal, value: Value) -> None:
    """Add any number of elements of which ``value`` tells what they look like."""
    if container.open is not None and _FURTHER not in container.state:
        return
    rest = further(container)
    if rest is None:
        machine.write(container.state, _BEFORE, len(names(container)))
    else:
        before, after = around(container)
        value = joined(machine, rest, (*after, value))
        replace(machine, container, before)
    machine.write(container.state, _FURTHER, value)
    if container.open is None:
        container.open = Unknown("unknown-length", "container")


def further(container: InstanceVal) -> Value:
    """What any of the further elements of an open container looks like; ``None`` if nothing is known of them."""
    found = unwrap(container.state.get(_FURTHER))
    return None if isinstance(found, Unknown) else found


def around(container: InstanceVal) -> tuple[list[Value], list[Value]]:
    """The known elements in front of the further ones, and those behind them."""
    known, before = values(container), container.state.get(_BEFORE)
    number = before if isinstance(before, int) else len(known)
    return known[:number], known[number:]


def any_of(machine: Machine, container: InstanceVal, index: Value = None) -> Value:
    """The element at a place that may be among the further ones."""
    rest = further(container)
    if rest is None:
        known = values(container) if container.open is None and not isinstance(index, int) else []
        return joined(machine, known[0], known[1:]) if known else machine.unknown("dynamic-index", "element of a container")
    before, after = around(container)
    if isinstance(index, int) and 0 <= index < len(before):
        return before[index]
    if isinstance(index, int) and -len(after) <= index < 0:
        return after[index]
    return joined(machine, rest, (*before, *after))


def under(machine: Machine, container: InstanceVal, name: Value) -> Value:
    """The element of a dict of modules under a name, which may be among the further ones, or any name."""
    known = dict(items(container))
    if isinstance(name, str) and name in known:
        return known[name]
    if isinstance(name, str) and container.open is None:
        return machine.unknown("dynamic-index", "key of a container")
    rest = further(container)
    if isinstance(name, str) or (container.open is not None and rest is None):
        return rest if rest is not None else machine.unknown("dynamic-index", "key of a container")
    return any_of(machine, container)


def joined(machine: Machine, value: Value, others: Iterable[Value]) -> Value:
    """What any of some values looks like."""
    for other in others:
        value = machine.join(value, other)
    return value


def update(machine: Machine, container: InstanceVal, source: Value) -> None:
    """Add the items of a mapping, of another container, or of an iterable of pairs."""
    for name, value in pairs(machine, container, source):
        put(machine, container, name, value)


def chained(machine: Machine, container: InstanceVal, source: DictVal) -> None:
    """Add the entries of a dict to a container that calls its elements in turn. Where the names of some are not known, neither
    is their place among the others, nor how many of them there are."""
    rest = unwrap(source.rest)
    if rest is None:
        update(machine, container, source)
    elif source.items or not isinstance(rest, InstanceVal):
        leave_open(container, Unknown("unknown-keys", "elements of a container"))
    elif source.others == 1:
        append(machine, container, rest)
    else:
        add_further(machine, container, rest)


def pairs(machine: Machine, container: InstanceVal, source: Value) -> list[tuple[str, Value]]:
    """Names and values of a mapping or of an iterable of pairs; what has no known name leaves the container open."""
    if isinstance(source, InstanceVal) and NAMES in source.state:
        return items(source)
    if isinstance(source, DictVal):
        found: list[Value] | Unknown = list(source.items.items())
        if source.rest is not None:
            add_further(machine, container, source.rest)
    else:
        found = machine.iterate(source)
    if isinstance(found, Unknown):
        leave_open(container, found)
        return []
    named = [(unwrap(pair[0]), pair[1]) for pair in found if isinstance(pair, tuple) and len(pair) == 2]
    if len(named) < len(found):
        leave_open(container, Unknown("dynamic-attribute", "computed element name"))
    for name, value in named:
        if not isinstance(name, str):
            add_further(machine, container, value)
    return [(name, value) for name, value in named if isinstance(name, str)]


def leave_open(container: InstanceVal, reason: Unknown) -> None:
    """Note that there may be unknown elements."""
    if container.open is None:
        container.open = reason
    if _FURTHER in container.state:
        container.state[_FURTHER] = reason


def slice_of(machine: Machine, container: InstanceVal, start: Value, stop: Value, step: Value) -> Value:
    """A container of the same library class with some of the elements."""
    cut = as_slice(SliceVal(start, stop, step))
    base = machine.library_base(container.cls) or LibSymbol("torch.nn.ModuleList")
    known = items(container)
    if container.open is not None or cut is None:
        if container.open is not None and further(container) is None:
            return machine.unknown("dynamic-index", "slice of a container")
        out = new(machine, base, ())
        for value in (*(value for _, value in known), *(() if container.open is None else (further(container),))):
            add_further(machine, out, value)
        return out
    keep_names = base.name == "torch.nn.Sequential"
    return new(machine, base, [(name if keep_names else str(i), value) for i, (name, value) in enumerate(known[cut])])


def chain(machine: Machine, container: InstanceVal, arguments: Arguments) -> Value:
    """Call the elements one after the other, as ``Sequential.forward`` does."""
    if container.open is None:
        return _in_turn(machine, values(container), arguments)
    element = further(container)
    if element is None:
        return machine.unknown(container.open.reason, container.open.detail or "Sequential")
    before, after = around(container)
    result = _any_number(machine, element, _in_turn(machine, before, arguments))
    return _in_turn(machine, after, Arguments((result,)))


def _in_turn(machine: Machine, elements: list[Value], arguments: Arguments) -> Value:
    if not elements:
        return arguments.args[0] if arguments.args else None
    last, before, result = elements[0], None, machine.call(elements[0], arguments)
    for element in elements[1:]:
        if before is None or not machine.is_repeat(last, element, before, result):
            last, before = element, result
            result = machine.call(element, Arguments((result,)))
    return result


def _any_number(machine: Machine, element: Value, before: Value) -> Value:
    """The result of one or more elements that look alike, called one after the other: what the first two leave, if they leave
    the rank of what they are given."""
    first = machine.call(element, Arguments((before,)))
    if machine.is_repeat(element, element, before, first):
        return first
    second = machine.call(element, Arguments((first,)))
    if isinstance(first, TensorVal) and isinstance(second, TensorVal) and first.type.rank == second.type.rank:
        return machine.join(first, second)
    return machine.unknown("unknown-length", "Sequential")
