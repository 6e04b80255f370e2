"""The elements of a container module (``Sequential``, ``ModuleList``, ``ModuleDict`` …): kept as attributes, in order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.kinds import as_slice
from dllint.frameworks.machine import Machine
from dllint.frameworks.torch.protocols.module_tree import NAMES, names
from dllint.ir.values import Arguments, ClassVal, DictVal, FuncVal, InstanceVal, LibSymbol, ListVal, SliceVal, Value, unwrap


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
    ordered = container.state.get(NAMES)
    put(machine, container, str(len(ordered.items) if isinstance(ordered, ListVal) else 0), value)


def extend(machine: Machine, container: InstanceVal, source: Value) -> None:
    """Add the elements of an iterable; if their number is not known, the container is open."""
    found = machine.iterate(source)
    if isinstance(found, Unknown):
        leave_open(container, found)
        return
    for value in found:
        append(machine, container, value)


def update(machine: Machine, container: InstanceVal, source: Value) -> None:
    """Add the items of a mapping, of another container, or of an iterable of pairs."""
    for name, value in pairs(machine, container, source):
        put(machine, container, name, value)


def pairs(machine: Machine, container: InstanceVal, source: Value) -> list[tuple[str, Value]]:
    """Names and values of a mapping or of an iterable of pairs; what has no known name leaves the container open."""
    if isinstance(source, InstanceVal) and NAMES in source.state:
        return items(source)
    if isinstance(source, DictVal):
        found: list[Value] | Unknown = list(source.items.items())
        if source.rest is not None:
            leave_open(container, Unknown("unknown-length", "mapping"))
    else:
        found = machine.iterate(source)
    if isinstance(found, Unknown):
        leave_open(container, found)
        return []
    named = [(unwrap(pair[0]), pair[1]) for pair in found if isinstance(pair, tuple) and len(pair) == 2]
    if len(named) < len(found) or not all(isinstance(name, str) for name, _ in named):
        leave_open(container, Unknown("dynamic-attribute", "computed element name"))
    return [(name, value) for name, value in named if isinstance(name, str)]


def leave_open(container: InstanceVal, reason: Unknown) -> None:
    """Note that there may be unknown elements."""
    if container.open is None:
        container.open = reason


def slice_of(machine: Machine, container: InstanceVal, start: Value, stop: Value, step: Value) -> Value:
    """A container of the same library class with some of the elements."""
    cut = as_slice(SliceVal(start, stop, step))
    if container.open is not None or cut is None:
        return machine.unknown("dynamic-index", "slice of a container")
    chosen = items(container)[cut]
    base = machine.library_base(container.cls) or LibSymbol("torch.nn.ModuleList")
    keep_names = base.name == "torch.nn.Sequential"
    return new(machine, base, [(name if keep_names else str(i), value) for i, (name, value) in enumerate(chosen)])


def chain(machine: Machine, container: InstanceVal, arguments: Arguments) -> Value:
    """Call the elements one after the other, as ``Sequential.forward`` does."""
    if container.open is not None:
        return machine.unknown(container.open.reason, container.open.detail or "Sequential")
    elements = values(container)
    if not elements:
        return arguments.args[0] if arguments.args else None
    last, before, result = elements[0], None, machine.call(elements[0], arguments)
    for element in elements[1:]:
        if before is None or not machine.is_repeat(last, element, before, result):
            last, before = element, result
            result = machine.call(element, Arguments((result,)))
    return result
