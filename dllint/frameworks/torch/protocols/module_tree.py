"""The tree of modules: which attributes are children, walks over all submodules."""

from __future__ import annotations

from collections.abc import Iterator

from dllint.frameworks.machine import LIBRARY_BASES, Machine
from dllint.ir.program import TensorVal
from dllint.ir.values import ClassVal, InstanceVal, LibSymbol, ListVal, Value, unwrap

MODULE = "torch.nn.Module"
#: Where a container keeps the names of its children in order (their values are its attributes).
NAMES = "names"
#: Where a module keeps the names of the tensors that its state dict has, registered ones.
SAVED = "saved"


def is_module(value: Value) -> bool:
    """Whether a value is a module: a library layer, or an instance of a class derived from ``torch.nn.Module``."""
    value = unwrap(value)
    if not isinstance(value, InstanceVal):
        return False
    if value.layer is not None:
        return bool(value.layer.row.framework == "torch")
    symbols = value.cls.mro if isinstance(value.cls, ClassVal) else (value.cls,)
    return any(isinstance(s, LibSymbol) and _derives(s.name) for s in symbols)


def _derives(name: str) -> bool:
    return name == MODULE or any(map(_derives, LIBRARY_BASES.get(name, ())))


def names(module: InstanceVal) -> list[str]:
    """The names of a container's elements in order; empty for other modules."""
    found = module.state.get(NAMES)
    return [name for name in found.items if isinstance(name, str)] if isinstance(found, ListVal) else []


def children(module: InstanceVal) -> list[tuple[str, Value]]:
    """The direct children by name, in order of registration."""
    ordered = names(module)
    out = [(name, module.own(name)) for name in ordered if name in module.attrs]
    known = frozenset(ordered)
    out += [(name, value) for name, value in module.attrs.items() if name not in known and is_module(value)]
    return [(name, unwrap(value)) for name, value in out]


def submodules(module: InstanceVal, prefix: str = "") -> Iterator[tuple[str, InstanceVal]]:
    """The module itself and all modules below it with their dotted paths, each object once."""
    return _walk(module, prefix, set())


def _walk(module: InstanceVal, prefix: str, seen: set[int]) -> Iterator[tuple[str, InstanceVal]]:
    if id(module) in seen:
        return
    seen.add(id(module))
    yield prefix, module
    for name, child in children(module):
        if isinstance(child, InstanceVal):
            yield from _walk(child, f"{prefix}.{name}" if prefix else name, seen)


def all_modules(machine: Machine, module: InstanceVal) -> list[InstanceVal]:
    """The module itself and all that may be below it: of what branches have left one of several, each."""
    out: list[InstanceVal] = []
    seen: set[int] = set()
    waiting = [module]
    while waiting:
        current = waiting.pop()
        if id(current) in seen:
            continue
        seen.add(id(current))
        out.append(current)
        held = (unwrap(value) for value in (*(child for _, child in children(current)), *current.attrs.values()))
        parts = [part for value in held for part in machine.alternatives(value)]
        waiting += [part for part in parts if isinstance(part, InstanceVal) and is_module(part)]
    return out


def own_tensors(module: InstanceVal) -> Iterator[tuple[str, TensorVal]]:
    """The tensors that are attributes of a module (parameters and buffers)."""
    for name, value in module.attrs.items():
        if isinstance(value, TensorVal):
            yield name, value


def saved_tensors(module: InstanceVal) -> tuple[Value, ...]:
    """The names of the registered tensors that a module saves and loads."""
    found = module.state.get(SAVED)
    return found if isinstance(found, tuple) else ()


def forget_buffers(machine: Machine, module: InstanceVal) -> None:
    """The elements of the registered tensors of a module tree may be any, their types stay."""
    for part in all_modules(machine, module):
        for name, tensor in list(own_tensors(part)):
            if name in saved_tensors(part) and tensor.producer is not None:
                machine.setattr(part, name, machine.tensor(tensor.type, framework="torch", name="buffer"))


def set_state(machine: Machine, module: InstanceVal, key: str, value: Value) -> None:
    """Note something on a module and on everything below it."""
    for part in all_modules(machine, module):
        machine.write(part.state, key, value)
