"""Classes of the analysed code: creation, method resolution order, instances."""

from __future__ import annotations

import sys
from collections import Counter
from typing import TYPE_CHECKING, Any

from dllint.domains.lattice import Unknown
from dllint.frameworks import registry
from dllint.frameworks.machine import HANDLERS
from dllint.ir import events
from dllint.ir.values import Arguments, BoundVal, ClassVal, FuncVal, InstanceVal, LibSymbol, Value, unwrap
from dllint.lower import attributes, calling, dataclass, library, repeats
from dllint.lower.scopes import MISSING

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter


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
        return tuple(LibSymbol(name) for name in library.chain(base.name))
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
    """The key by which equal bases are recognised: library classes by name, all others by object identity."""
    return base if isinstance(base, LibSymbol) else id(base)


def find_user_attribute(cls: Value, name: str, after: Value = None) -> Value | None:
    """A class attribute along the MRO's user classes (those after ``after``, if given); ``None`` if there is none."""
    found = lookup(cls, name, after)
    return None if found is MISSING or (isinstance(found, (LibSymbol, Unknown)) and _is_base_answer(cls, found)) else found


def _is_base_answer(cls: Value, found: Value) -> bool:
    return isinstance(cls, ClassVal) and any(found is base for base in cls.mro)


def lookup(cls: Value, name: str, after: Value = None) -> Value:
    """A class attribute along the MRO. If a library class or an unknown base may have it, that base is the answer;
    MISSING if nothing has it."""
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
    return base


def may_be_anything(value: Value) -> bool:
    """Whether a value is an object whose class has an unknown base."""
    cls = value.cls if isinstance(value, InstanceVal) else None
    if not isinstance(cls, ClassVal):
        return False
    return any(isinstance(base, Unknown) or (isinstance(base, LibSymbol) and _is_foreign(base.name)) for base in cls.mro)


def _is_foreign(name: str) -> bool:
    """Whether a class belongs to a library without any table."""
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
    """Drop cached facts about classes, so that a document's tree is freed with its analysis."""
    _bases.clear()


def _library_bases(cls: Value, after: Value) -> list[str]:
    if isinstance(cls, LibSymbol):
        return list(library.chain(cls.name))
    out: list[str] = []
    started = after is None
    for klass in cls.mro if isinstance(cls, ClassVal) else ():
        if started and isinstance(klass, LibSymbol):
            out += [name for name in library.chain(klass.name) if name not in out]
        started = started or klass is after
    return out


def is_subclass(cls: Value, base: Value) -> bool | None:
    """Whether a class derives from another; ``None`` if an unknown base stands between."""
    if isinstance(base, LibSymbol):
        if base.name == "builtins.object" or base.name in library_bases(cls):
            return True
        if not base.name.startswith("builtins.") and not library.is_modelled(base.name):
            return None
    elif isinstance(cls, ClassVal) and any(c is base for c in cls.mro):
        return True
    return None if isinstance(cls, ClassVal) and any(isinstance(c, Unknown) for c in cls.mro) else False


def instantiate(m: Interpreter, cls: ClassVal, arguments: Arguments) -> Value:
    """An instance of a user class, its ``__init__`` executed."""
    for base in library_bases(cls):
        maker = HANDLERS.get(f"{base}.__new__")
        if maker is not None:
            return maker(m, cls, arguments)
    own = lookup(cls, "__new__")
    if isinstance(own, FuncVal):
        made = calling.call(m, own, calling.with_receiver(cls, arguments))
        if isinstance(made, InstanceVal) and made.cls is cls:
            _initialize(m, cls, made, arguments)
        return made
    instance = repeats.copy_of_last(m, cls, arguments)
    if instance is None:

        def build() -> InstanceVal:
            made = InstanceVal(cls, site=m.site)
            made.open = next((base for base in cls.mro if isinstance(base, Unknown)), None)
            m.use(cls)
            _initialize(m, cls, made, arguments)
            return made

        instance = repeats.construct(m, cls, arguments, build)
    if _vague(arguments):
        m.vague.append((cls, arguments))
    elif not m.contrary:
        m.instances.append(instance)
        if m.frame.owner is not None:
            m.parts.add(id(instance))
    m.built.add(id(cls))
    m.event(events.INSTANCE, instance=instance)
    return instance


def tell_base(m: Interpreter, cls: ClassVal, keywords: dict[str, Value]) -> None:
    """Call ``__init_subclass__`` of the nearest base that defines one, after a class has been derived."""
    hook = lookup(cls, "__init_subclass__", after=cls)
    if isinstance(hook, FuncVal):
        calling.call(m, hook, Arguments((cls,), keywords))


def _vague(arguments: Arguments) -> bool:
    """Whether a constructor gets an unknown argument."""
    given = (*arguments.args, *arguments.kwargs.values(), arguments.star, arguments.double_star)
    return any(isinstance(unwrap(value), Unknown) for value in given)


def _initialize(m: Interpreter, cls: ClassVal, instance: InstanceVal, arguments: Arguments) -> None:
    found = lookup(cls, "__init__")
    own = found if isinstance(found, FuncVal) else None
    record = next((c for c in cls.mro if isinstance(c, ClassVal) and c.is_dataclass), None)
    if own is not None and (record is None or _defines_before(cls, own, record)):
        calling.call(m, BoundVal(own, instance), arguments)
    elif record is not None:
        dataclass.initialize(m, cls, instance, arguments)
    elif isinstance(found, LibSymbol):
        initialize_library(m, cls, instance, arguments)
    elif found is not MISSING and not isinstance(found, Unknown):
        calling.call(m, BoundVal(found, instance), arguments)


def _defines_before(cls: ClassVal, init: FuncVal, record: ClassVal) -> bool:
    """Whether a written constructor comes before the one generated for ``record`` in the MRO."""
    for klass in cls.mro:
        if isinstance(klass, ClassVal) and klass.attrs.get("__init__") is init:
            return True
        if klass is record:
            return False
    return True


def initialize_base(m: Interpreter, cls: Value, instance: InstanceVal, arguments: Arguments, after: Value) -> Value:
    """``super().__init__(...)`` where no class of the analysed code further up has a constructor of its own."""
    if isinstance(cls, ClassVal) and isinstance(after, ClassVal) and _above(cls, after):
        dataclass.initialize(m, _above(cls, after)[0], instance, arguments)
        return None
    return initialize_library(m, cls, instance, arguments, after)


def _above(cls: ClassVal, after: ClassVal) -> list[ClassVal]:
    """The records among the classes after one in an MRO."""
    place = next((i for i, c in enumerate(cls.mro) if c is after), len(cls.mro))
    return [c for c in cls.mro[place + 1 :] if isinstance(c, ClassVal) and c.is_dataclass]


def initialize_library(m: Interpreter, cls: Value, instance: InstanceVal, arguments: Arguments, after: Value = None) -> Value:
    """Run the constructor of the first library base on an instance of a derived class."""
    for base in library_bases(cls, after):
        handler = HANDLERS.get(f"{base}.__init__")
        if handler is not None:
            return handler(m, instance, arguments)
        row = registry.layer_row(base)
        if row is not None:
            library.configure(m, instance, base, row, arguments)
            return None
    return None


def call_instance(m: Interpreter, instance: InstanceVal, arguments: Arguments) -> Value:
    """``instance(...)``: the user's ``__call__``, the library's protocol, or the library layer's operation."""
    method = lookup(instance.cls, "__call__")
    if isinstance(method, FuncVal):
        return calling.call(m, BoundVal(method, instance), arguments)
    overridden = any(isinstance(lookup(instance.cls, name), FuncVal) for name in ("forward", "call"))
    for base in library_bases(instance.cls):
        handler = HANDLERS.get(f"{base}.__call__")
        if handler is not None:
            return handler(m, instance, library.plain(arguments))
        if instance.layer is not None and not overridden and instance.layer.row.name == base:
            return library.apply_layer(m, instance, arguments)
    if instance.layer is not None and not overridden:
        return library.apply_layer(m, instance, arguments)
    forward = attributes.get(m, instance, "forward") if overridden else Unknown("unmodelled-call", _name(instance.cls))
    return calling.call(m, forward, arguments) if overridden else m.unknown("unmodelled-call", _name(instance.cls))


def _name(cls: Value) -> str:
    return str(getattr(cls, "name", ""))
