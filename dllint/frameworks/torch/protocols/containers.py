"""``Sequential``, ``ModuleList``, ``ModuleDict``, ``ParameterList``, ``ParameterDict``."""

from __future__ import annotations

from dllint.domains.lattice import Unknown
from dllint.frameworks.given import given
from dllint.frameworks.kinds import as_slice, as_text
from dllint.frameworks.machine import LIBRARY_BASES, Machine, handler
from dllint.frameworks.torch.protocols import elements
from dllint.frameworks.torch.protocols.module_tree import MODULE, is_module
from dllint.ir.events import Construction
from dllint.ir.values import Arguments, DictVal, Further, InstanceVal, IterVal, LibSymbol, ListVal, SliceVal, Value, unwrap

LISTS = ("Sequential", "ModuleList", "ParameterList")
DICTS = ("ModuleDict", "ParameterDict")
LIBRARY_BASES.update({f"torch.nn.{name}": (MODULE,) for name in (*LISTS, *DICTS)})


def _named(kinds: tuple[str, ...], *methods: str) -> list[str]:
    return [f"torch.nn.{kind}.{method}" for kind in kinds for method in methods]


def _fill(machine: Machine, container: InstanceVal, kind: str, arguments: Arguments) -> None:
    star = arguments.star
    if star is not None and not (kind == "Sequential" and isinstance(star, Further)):
        elements.leave_open(container, star)
    first = arguments.args[0] if arguments.args else next(iter(arguments.kwargs.values()), None)
    if kind == "Sequential" and not (len(arguments.args) == 1 and isinstance(first, DictVal)):
        for value in arguments.args:
            elements.append(machine, container, value)
        if isinstance(star, Further):
            for value in star.parts:
                elements.extend(machine, container, value)
    elif first is None:
        return
    elif kind in ("ModuleList", "ParameterList"):
        elements.extend(machine, container, first)
    elif kind == "Sequential" and isinstance(first, DictVal):
        elements.chained(machine, container, first)
    else:
        elements.update(machine, container, first)


def _register(kind: str) -> None:
    name = f"torch.nn.{kind}"

    @handler(name)
    def construct(machine: Machine, _: Value, arguments: Arguments) -> Value:
        container = elements.new(machine, LibSymbol(name), ())
        _fill(machine, container, kind, arguments)
        machine.event(Construction, instance=container, args=arguments.args, nodes=arguments.nodes)
        return container

    @handler(f"{name}.__init__", on=InstanceVal)
    def initialize(machine: Machine, container: InstanceVal, arguments: Arguments) -> Value:
        _fill(machine, container, kind, arguments)
        return None


for _kind in (*LISTS, *DICTS):
    _register(_kind)


@handler(*_named((*LISTS, *DICTS), "__setattr__"), on=InstanceVal)
def set_attribute(machine: Machine, container: InstanceVal, arguments: Arguments) -> Value:
    """A module assigned to an attribute of a subclass of a container is its next element."""
    bound = given("name, value", arguments)
    name, value = as_text(bound.get("name")), bound.get("value")
    if name is None:
        elements.leave_open(container, Unknown("dynamic-attribute", "setattr"))
    elif is_module(value):
        elements.put(machine, container, name, value)
    else:
        machine.write(container.attrs, name, value)
    return None


@handler("torch.nn.Sequential.forward", on=InstanceVal)
def forward(machine: Machine, container: InstanceVal, arguments: Arguments) -> Value:
    """Each element is called with the result of the one before."""
    return elements.chain(machine, container, arguments)


@handler(*_named((*LISTS, *DICTS), "add_module", "register_module"), on=InstanceVal)
def add_module(machine: Machine, container: InstanceVal, arguments: Arguments) -> Value:
    """``add_module(name, module)``."""
    name, value = (*arguments.args, *arguments.kwargs.values(), None, None)[:2]
    if isinstance(name, str):
        elements.put(machine, container, name, value)
    elif container.open is None and machine.library_base(container.cls) == LibSymbol("torch.nn.Sequential"):
        elements.append(machine, container, value)
    else:
        elements.add_further(machine, container, value)
    return None


@handler(*_named(LISTS, "append"), on=InstanceVal)
def append(machine: Machine, container: InstanceVal, arguments: Arguments) -> Value:
    """``append(module)`` gives the container back."""
    elements.append(machine, container, arguments.args[0] if arguments.args else None)
    return container


@handler(*_named(LISTS, "extend", "__iadd__"), on=InstanceVal)
def extend(machine: Machine, container: InstanceVal, arguments: Arguments) -> Value:
    """``extend(modules)`` gives the container back."""
    elements.extend(machine, container, arguments.args[0] if arguments.args else None)
    return container


@handler(*_named(LISTS, "__add__"), on=InstanceVal)
def add(machine: Machine, container: InstanceVal, arguments: Arguments) -> Value:
    """``a + b``: a new container."""
    base = machine.library_base(container.cls) or LibSymbol("torch.nn.ModuleList")
    out = elements.new(machine, base, ())
    elements.extend(machine, out, container)
    elements.extend(machine, out, arguments.args[0] if arguments.args else None)
    return out


@handler(*_named(LISTS, "insert"), on=InstanceVal)
def insert(machine: Machine, container: InstanceVal, arguments: Arguments) -> Value:
    """``insert(index, module)``."""
    index, value = (*arguments.args, None, None)[:2]
    if isinstance(index, int) and container.open is None:
        current = elements.values(container)
        current.insert(index, value)
        elements.replace(machine, container, current)
    else:
        elements.leave_open(container, Unknown("dynamic-index", "insert"))
    return container


@handler(*_named(LISTS, "pop", "__delitem__"), on=InstanceVal)
def pop(machine: Machine, container: InstanceVal, arguments: Arguments) -> Value:
    """Remove one element (or a slice of them); gives the removed element."""
    index = unwrap(arguments.args[0]) if arguments.args else -1
    current = elements.values(container)
    cut = as_slice(index) if isinstance(index, SliceVal) else None
    removed: Value = None
    if container.open is not None:
        elements.leave_open(container, container.open)
    if cut is not None:
        del current[cut]
    elif isinstance(index, int) and -len(current) <= index < len(current):
        removed = current.pop(index)
    else:
        elements.leave_open(container, Unknown("dynamic-index", "pop"))
        return machine.unknown("dynamic-index", "pop")
    elements.replace(machine, container, current)
    return removed


@handler(*_named(LISTS, "__getitem__"), on=InstanceVal)
def get_item(machine: Machine, container: InstanceVal, arguments: Arguments) -> Value:
    """``container[i]`` and ``container[a:b]``."""
    index = arguments.positional(0)
    if isinstance(index, SliceVal):
        return elements.slice_of(machine, container, index.start, index.stop, index.step)
    current = elements.values(container)
    if isinstance(index, int) and -len(current) <= index < len(current) and container.open is None:
        return current[index]
    return elements.any_of(machine, container, index)


@handler(*_named(LISTS, "__setitem__"), on=InstanceVal)
def set_item(machine: Machine, container: InstanceVal, arguments: Arguments) -> Value:
    """``container[i] = module``."""
    index, value = arguments.positional(0), arguments.positional(1)
    current = elements.items(container)
    if isinstance(index, int) and -len(current) <= index < len(current) and container.open is None:
        elements.put(machine, container, current[index][0], value)
    else:
        elements.leave_open(container, Unknown("dynamic-index", "assignment"))
    return None


@handler(*_named(LISTS, "__iter__"), *_named(DICTS, "values"), on=InstanceVal)
def iterate(machine: Machine, container: InstanceVal, arguments: Arguments) -> Value:
    """The elements in order."""
    if container.open is not None and (rest := elements.further(container)) is not None:
        before, after = elements.around(container)
        return ListVal(before, elements.joined(machine, rest, after))
    return _sequence(container, elements.values(container))


@handler(*_named(DICTS, "__iter__", "keys"), on=InstanceVal)
def keys(machine: Machine, container: InstanceVal, arguments: Arguments) -> Value:
    """The keys in order."""
    return _sequence(container, [name for name, _ in elements.items(container)])


@handler(*_named(DICTS, "items"), on=InstanceVal)
def pairs(machine: Machine, container: InstanceVal, arguments: Arguments) -> Value:
    """Keys and elements in order."""
    found: list[Value] = list(elements.items(container))
    if container.open is not None and (rest := elements.further(container)) is not None:
        return ListVal(found, (Unknown("unknown-key"), rest))
    return _sequence(container, found)


def _sequence(container: InstanceVal, found: list[Value]) -> Value:
    return IterVal(found, container.open) if container.open is None else ListVal(found, container.open)


@handler(*_named((*LISTS, *DICTS), "__len__"), on=InstanceVal)
def length(machine: Machine, container: InstanceVal, arguments: Arguments) -> Value:
    """The number of elements."""
    return len(elements.values(container)) if container.open is None else Unknown(container.open.reason, container.open.detail)


@handler(*_named(DICTS, "__getitem__", "get"), on=InstanceVal)
def get_key(machine: Machine, container: InstanceVal, arguments: Arguments) -> Value:
    """``container[key]``."""
    return elements.under(machine, container, unwrap(arguments.positional(0)))


@handler(*_named(DICTS, "__setitem__"), on=InstanceVal)
def set_key(machine: Machine, container: InstanceVal, arguments: Arguments) -> Value:
    """``container[key] = module``."""
    return add_module(machine, container, arguments)


@handler(*_named(DICTS, "__contains__"), on=InstanceVal)
def contains(machine: Machine, container: InstanceVal, arguments: Arguments) -> Value:
    """``key in container``."""
    name = arguments.positional(0)
    if isinstance(name, str) and name in dict(elements.items(container)):
        return True
    return False if isinstance(name, str) and container.open is None else Unknown("dynamic-index", "key of a ModuleDict")


@handler(*_named(DICTS, "update"), on=InstanceVal)
def update(machine: Machine, container: InstanceVal, arguments: Arguments) -> Value:
    """``update(mapping)``."""
    elements.update(machine, container, arguments.args[0] if arguments.args else DictVal({**arguments.kwargs}))
    return None
