"""Classes of the analysed code: creation, method resolution order, instances."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dllint.domains.lattice import Unknown
from dllint.frameworks import registry
from dllint.frameworks.machine import HANDLERS
from dllint.ir import events
from dllint.ir.values import Arguments, BoundVal, ClassVal, FuncVal, InstanceVal, LibSymbol, Value, unwrap
from dllint.lower import attributes, calling, dataclass, library, mro, repeats
from dllint.lower.scopes import MISSING

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter


def instantiate(m: Interpreter, cls: ClassVal, arguments: Arguments) -> Value:
    """An instance of a user class, its ``__init__`` executed."""
    for base in mro.library_bases(cls):
        maker = HANDLERS.get(f"{base}.__new__")
        if maker is not None:
            return maker(m, cls, arguments)
    own = mro.lookup(cls, "__new__")
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
        m.trail.vague.append((cls, arguments))
    elif not m.control.contrary:
        m.trail.instances.append(instance)
        if m.frame.owner is not None:
            m.trail.parts[id(instance)] = instance
    m.trail.built[id(cls)] = cls
    m.event(events.Instance, instance=instance)
    return instance


def tell_base(m: Interpreter, cls: ClassVal, keywords: dict[str, Value]) -> None:
    """A class has been derived: ``__init_subclass__`` of its nearest base that has one."""
    hook = mro.lookup(cls, "__init_subclass__", after=cls)
    if isinstance(hook, FuncVal):
        calling.call(m, hook, Arguments((cls,), keywords))


def _vague(arguments: Arguments) -> bool:
    """Whether a constructor gets an unknown argument."""
    given = (*arguments.args, *arguments.kwargs.values(), arguments.star, arguments.double_star)
    return any(isinstance(unwrap(value), Unknown) for value in given)


def _initialize(m: Interpreter, cls: ClassVal, instance: InstanceVal, arguments: Arguments) -> None:
    found = mro.lookup(cls, "__init__")
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
    for base in mro.library_bases(cls, after):
        if (following := mro.next_constructor(cls, base)) is not None:
            calling.call(m, BoundVal(following, instance), Arguments())
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
    method = mro.lookup(instance.cls, "__call__")
    if isinstance(method, FuncVal):
        return calling.call(m, BoundVal(method, instance), arguments)
    overridden = any(isinstance(mro.lookup(instance.cls, name), FuncVal) for name in ("forward", "call"))
    for base in mro.library_bases(instance.cls):
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
