"""The order in which the classes of the analysed code and of libraries are looked through, and what is found along it."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any, Final, TypeGuard

from dllint.domains.lattice import Unknown
from dllint.frameworks import registry
from dllint.frameworks.machine import HANDLERS, LIBRARY_BASES
from dllint.ir.values import BoundVal, ClassVal, FuncVal, InstanceVal, LibSymbol, Value
from dllint.lower.scopes import MISSING

#: Base classes of a framework's layer rows that no table gives bases to.
_LAYER_BASES = {"torch": "torch.nn.Module", "keras": "keras.layers.Layer"}


def chain(name: str) -> Iterator[str]:
    """A library class and its library bases, nearest first."""
    seen: set[str] = set()
    todo = [name]
    while todo:
        current = todo.pop(0)
        if current in seen:
            continue
        seen.add(current)
        yield current
        bases = LIBRARY_BASES.get(current)
        if bases is None and (row := registry.layer_row(current)) is not None and row.framework in _LAYER_BASES:
            bases = (_LAYER_BASES[row.framework],)
        todo[:0] = bases or ()


def is_modelled(name: str) -> bool:
    """Whether the tables know which library classes derive from a class."""
    return registry.layer_row(name) is not None or name in LIBRARY_BASES or any(name in b for b in LIBRARY_BASES.values())


def linearize(cls: ClassVal) -> tuple[Value, ...]:
    """C3 linearisation; library classes take part with their own bases, unknown bases as leaves. Inconsistent orders
    fall back to depth-first."""
    if len(cls.bases) == 1:
        return (cls, *_order(cls.bases[0]))
    sequences = [list(_order(base)) for base in cls.bases] + [list(cls.bases)]
    merged = _merge(sequences)
    if merged is None:
        merged = list({id(c): c for base in cls.bases for c in _order(base)}.values())
    return (cls, *merged)


def _order(base: Value) -> tuple[Value, ...]:
    if isinstance(base, LibSymbol):
        return tuple(LibSymbol(name) for name in chain(base.name))
    return base.mro if isinstance(base, ClassVal) else (base,)


def _merge(sequences: list[list[Value]]) -> list[Value] | None:
    out: list[Value] = []
    left = [[(_identity(base), base) for base in reversed(sequence)] for sequence in sequences]
    behind = Counter(key for sequence in left for key, _ in sequence[:-1])
    while left := [sequence for sequence in left if sequence]:
        head = next((sequence[-1] for sequence in left if not behind[sequence[-1][0]]), None)
        if head is None:
            return None
        out.append(head[1])
        for sequence in left:
            if sequence[-1][0] == head[0]:
                sequence.pop()
                behind.subtract([key for key, _ in sequence[-1:]])
    return out


def _identity(base: Value) -> object:
    """The identity of a base: classes of libraries are equal by name, others are themselves."""
    return base if isinstance(base, LibSymbol) else id(base)


def find_user_attribute(cls: Value, name: str, after: Value = None) -> Value | None:
    """A class attribute along the MRO's user classes (those after ``after``, if given); ``None`` if there is none."""
    found = lookup(cls, name, after)
    return None if found is MISSING or (isinstance(found, (LibSymbol, Unknown)) and _is_base_answer(cls, found)) else found


def _is_base_answer(cls: Value, found: Value) -> bool:
    return isinstance(cls, ClassVal) and any(found is base for base in cls.mro)


def lookup(cls: Value, name: str, after: Value = None) -> Value:
    """A class attribute along the MRO. If a library class or an unknown base may have it, and no class of the analysed code has
    it, or the library class is known to have it and comes first, that base is the answer; MISSING if nothing has it."""
    if not isinstance(cls, ClassVal):
        return MISSING
    started = after is None
    base: Value = MISSING
    for klass in cls.mro:
        if not started:
            started = klass is after
            continue
        if isinstance(klass, ClassVal):
            if name in klass.attrs:
                return klass.attrs[name]
        elif base is MISSING and not (isinstance(klass, LibSymbol) and klass.name == "builtins.object"):
            base = klass
            if isinstance(klass, LibSymbol) and _defines(klass.name, name):
                return klass
    return base


#: Where the classes of modules and layers are: each that a table knows has a constructor of its own.
_MODULES: Final = ("torch.nn.", "keras.")


def _defines(base: str, name: str) -> bool:
    """Whether a library class is known to have a constructor of its own, or a layer of torch what it computes."""
    if not base.startswith(_MODULES):
        return False
    row = registry.layer_row(base)
    if name == "forward":
        return (row is not None and row.framework == "torch") or f"{base}.forward" in HANDLERS
    return name == "__init__" and (row is not None or f"{base}.__init__" in HANDLERS)


def next_constructor(cls: Value, base: str) -> FuncVal | None:
    """The constructor of the analysed code that a module class of torch calls, without arguments, in its own: that of the next
    class in the MRO. ``torch.nn.Module`` calls none."""
    if not isinstance(cls, ClassVal) or not base.startswith("torch.nn."):
        return None
    place = next((klass for klass in cls.mro if isinstance(klass, LibSymbol) and klass.name == base), None)
    found = lookup(cls, "__init__", place) if place is not None else None
    return found if isinstance(found, FuncVal) else None


def may_be_anything(value: Value) -> bool:
    """Whether a value is an object whose class is derived from one that nothing is known about."""
    cls = value.cls if isinstance(value, InstanceVal) else None
    if not isinstance(cls, ClassVal):
        return False
    return any(isinstance(base, Unknown) or (isinstance(base, LibSymbol) and is_foreign(base.name)) for base in cls.mro)


def is_foreign(name: str) -> bool:
    """Whether a class belongs to a library of which no table knows anything."""
    root = name.partition(".")[0]
    return root not in registry.ROOMS and root not in sys.stdlib_module_names and root != "builtins"


def library_base(cls: Value) -> LibSymbol | None:
    """The first library class in an MRO."""
    if isinstance(cls, LibSymbol):
        return cls
    if isinstance(cls, ClassVal):
        return next((c for c in cls.mro if isinstance(c, LibSymbol)), None)
    return None


def library_bases(cls: Value, after: Value = None) -> list[str]:
    """All library classes a class derives from, nearest first, through the libraries' own bases."""
    key = (cls.name if isinstance(cls, LibSymbol) else id(cls), id(after))
    known = _bases.get(key)
    if known is not None and known[0] == cls:
        return known[1]
    out = _library_bases(cls, after)
    if isinstance(cls, (LibSymbol, ClassVal)) and getattr(cls, "mro", True):
        _bases[key] = (cls, out)
        if len(_bases) > _KEPT_BASES:
            _bases.clear()
    return out


_bases: dict[tuple[Any, int], tuple[Value, list[str]]] = {}
_KEPT_BASES = 4096


def forget() -> None:
    """Drop what is kept about classes, so that a document's tree does not outlive its analysis."""
    _bases.clear()


def _library_bases(cls: Value, after: Value) -> list[str]:
    if isinstance(cls, LibSymbol):
        return list(chain(cls.name))
    out: list[str] = []
    started = after is None
    for klass in cls.mro if isinstance(cls, ClassVal) else ():
        if started and isinstance(klass, LibSymbol):
            out += [name for name in chain(klass.name) if name not in out]
        started = started or klass is after
    return out


def is_subclass(cls: Value, base: Value) -> bool | None:
    """Whether a class derives from another; ``None`` if an unknown base stands between."""
    if isinstance(base, LibSymbol):
        if base.name == "builtins.object" or base.name in library_bases(cls):
            return True
        if not base.name.startswith("builtins.") and not is_modelled(base.name):
            return None
    elif isinstance(cls, ClassVal) and any(c is base for c in cls.mro):
        return True
    return None if isinstance(cls, ClassVal) and any(isinstance(c, Unknown) for c in cls.mro) else False


def is_member(value: Value) -> TypeGuard[InstanceVal]:
    """Whether a value is a member of an enumeration of the analysed code."""
    if not isinstance(value, InstanceVal) or not isinstance(value.cls, ClassVal):
        return False
    name = value.attrs.get("name")
    return isinstance(name, str) and value.cls.attrs.get(name) is value and "_value_" in value.attrs


def special(receiver: InstanceVal, name: str) -> Value | None:
    """A special method of an instance (``__len__`` …), bound, or ``None`` if neither its class nor a library base has one."""
    found = lookup(receiver.cls, name)
    if isinstance(found, FuncVal):
        return BoundVal(found, receiver)
    for base in library_bases(receiver.cls):
        if f"{base}.{name}" in HANDLERS:
            return BoundVal(LibSymbol(f"{base}.{name}"), receiver)
    return None
