"""Attribute access: ``x.name``, ``x.name = v`` on every kind of value."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from dllint.domains.dim import DimExpr
from dllint.domains.dtype import DType
from dllint.domains.lattice import Unknown
from dllint.frameworks import registry
from dllint.frameworks.machine import CLASS_METHODS, HANDLERS, PROPERTIES
from dllint.ir.program import TensorVal
from dllint.ir.values import (
    Arguments,
    Assumed,
    BoundVal,
    ClassVal,
    DictVal,
    FuncVal,
    InstanceVal,
    IterVal,
    LayerConfig,
    LibSymbol,
    ListVal,
    ModuleVal,
    PartialVal,
    PartsVal,
    RangeVal,
    SetVal,
    SizesVal,
    SliceVal,
    TensorSize,
    Value,
    unwrap,
)
from dllint.lower import (
    absent,
    branches,
    calling,
    classes,
    contents,
    dataclass,
    emission,
    exceptions,
    library,
    lists,
    mro,
    open_attributes,
    readers,
    tensors,
)
from dllint.lower.constants import CONSTANTS
from dllint.lower.documented import ranges
from dllint.lower.lazy import ChoiceVal, ShapeVal, SuperVal
from dllint.lower.scopes import MISSING
from dllint.lower.variants import settings

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine
    from dllint.lower.journal import Journal
    from dllint.lower.machine import Interpreter
    from dllint.lower.parts import Derives, Joins, Keeps


def get(m: Interpreter, receiver: Value, name: str) -> Value:
    """``receiver.name``; Unknown with a reason if it is not there."""
    getter = _GET.get(type(receiver))
    if getter is not None:
        return getter(m, receiver, name)
    return _native(m, receiver, name)


# --- Python's own types -------------------------------------------------------------------------------------------------

#: Python class of a value → its name.
NATIVE: dict[type, str] = {
    str: "builtins.str", bytes: "builtins.bytes", int: "builtins.int", bool: "builtins.int", float: "builtins.float",
    complex: "builtins.complex", tuple: "builtins.tuple",
    PartsVal: "builtins.tuple", SizesVal: "builtins.tuple",
    TensorSize: "builtins.int", ListVal: "builtins.list", DictVal: "builtins.dict",
    SetVal: "builtins.set",
    RangeVal: "builtins.range", SliceVal: "builtins.slice", IterVal: "builtins.iterator", DimExpr: "builtins.int",
    ShapeVal: "builtins.shape", DType: "builtins.dtype",
}  # fmt: skip


def _native(m: Interpreter, receiver: Value, name: str) -> Value:
    kind = NATIVE.get(type(receiver))
    if kind is None:
        if receiver is None and not hasattr(None, name):
            exceptions.raise_builtin(m, "AttributeError")
        return Unknown("no-attribute", f"{type(receiver).__name__}.{name}")
    full = f"{kind}.{name}"
    if full in PROPERTIES:
        return PROPERTIES[full](m, receiver)
    if isinstance(receiver, DictVal) and receiver.named and name in receiver.items:
        return receiver.items[name]
    if full in HANDLERS:
        return BoundVal(LibSymbol(full), receiver)
    return m.unknown("unmodelled-attribute", full)


def _slice(_m: Machine, receiver: SliceVal, name: str) -> Value:
    return getattr(receiver, name) if name in ("start", "stop", "step") else Unknown("no-attribute", name)


# --- library symbols, modules, functions ----------------------------------------------------------------------------------


def _symbol(m: Interpreter, receiver: LibSymbol, name: str) -> Value:
    if name in ("__name__", "__qualname__"):
        return receiver.name.rpartition(".")[2]
    if name == "__module__":
        return receiver.name.rpartition(".")[0]
    if name == "__version__":
        return _version(m, receiver)
    getter = HANDLERS.get(f"{receiver.name}.__getattr__")
    if getter is not None:
        return getter(m, receiver, Arguments((name,)))
    found = LibSymbol(registry.canonical(f"{receiver.name}.{name}"))
    return CONSTANTS.get(found.name, found)


def _version(m: Interpreter, library: LibSymbol) -> Value:
    """A library's version: known if the program asserts it."""
    key = f"{library.name}.__version__"
    asserted = m.state.get(key)
    return asserted if asserted is not None else m.derive(("version", key), lambda: Unknown("run-time", key))


def _function(_m: Machine, receiver: FuncVal, name: str) -> Value:
    if name in receiver.attrs:
        return receiver.attrs[name]
    if name in ("__name__", "__qualname__"):
        return receiver.name
    if name == "__module__":
        home: Value = receiver.scope.module.vars.get("__name__", "")
        return home
    if name == "__wrapped__":
        return receiver
    return Unknown("function-attribute", name)


def _partial(_m: Machine, receiver: PartialVal, name: str) -> Value:
    parts = {"func": receiver.func, "args": receiver.args, "keywords": DictVal(dict(receiver.kwargs))}
    return parts.get(name, Unknown("no-attribute", name))


def _bound(m: Interpreter, receiver: BoundVal, name: str) -> Value:
    if name == "__self__":
        return receiver.receiver
    if name == "__func__":
        return receiver.func
    return get(m, receiver.func, name)


def _unknown(m: Derives, receiver: Unknown, name: str) -> Value:
    """An attribute of an argument without a value is again such an argument, always the same object."""
    detail = f"{receiver.detail}.{name}" if receiver.reason in ("parameter", "argument") else receiver.detail
    return m.derive(("attribute", id(receiver), name), lambda: Unknown(receiver.reason, detail), receiver)


def _choice(m: Interpreter, receiver: ChoiceVal, name: str) -> Value:
    options = receiver.options if hasattr(None, name) else settings.usable(m, receiver.options, "AttributeError")
    return branches.each(m, [partial(get, m, option, name) for option in options])


# --- classes and instances ------------------------------------------------------------------------------------------------

_CLASS_ATTRIBUTES: dict[str, Callable[[ClassVal], Value]] = {
    "__name__": lambda c: c.name,
    "__qualname__": lambda c: c.name,
    "__mro__": lambda c: c.mro if LibSymbol("builtins.object") in c.mro else (*c.mro, LibSymbol("builtins.object")),
    "__bases__": lambda c: c.bases,
    "__dict__": lambda c: DictVal(c.attrs, of=c),
}


def _class(m: Interpreter, receiver: ClassVal, name: str) -> Value:
    m.use(receiver)
    if name == "__module__":
        return m.module_name(receiver)
    if name in _CLASS_ATTRIBUTES:
        return _CLASS_ATTRIBUTES[name](receiver)
    if name == dataclass.FIELDS and receiver.is_dataclass:
        return DictVal({field: Unknown("field", field) for field in dataclass.fields(receiver)})
    found = mro.lookup(receiver, name)
    if isinstance(found, FuncVal):
        return BoundVal(found, receiver) if found.kind == "class" else found
    if name == "__init__" and receiver.is_dataclass:
        return m.native("__init__", partial(_initialize_record, receiver))
    if _from_base(receiver, found):
        return _library_attribute(m, receiver, None, name) if isinstance(found, LibSymbol) else Unknown("unknown-base", name)
    if found is not MISSING:
        return found
    return m.unknown("no-attribute", f"{receiver.name}.{name}")


def _initialize_record(cls: ClassVal, m: Interpreter, arguments: Arguments) -> Value:
    """``Record.__init__(self, ...)``."""
    instance = arguments.positional(0)
    if isinstance(instance, InstanceVal):
        given = Arguments(arguments.args[1:], arguments.kwargs, arguments.star, arguments.double_star)
        dataclass.initialize(m, cls, instance, given)
    return None


def _from_base(cls: ClassVal, found: Value) -> bool:
    return isinstance(found, (LibSymbol, Unknown)) and any(found is c for c in cls.mro)


def _instance(m: Interpreter, receiver: InstanceVal, name: str) -> Value:
    found = receiver.attrs.get(name, MISSING)
    if found is not MISSING:
        speaks = m.options.stated is not None or ranges.KEY in receiver.state
        return ranges.attribute(m, receiver, name, found) if speaks else found
    cls = receiver.cls
    if isinstance(cls, ClassVal):
        m.use(cls)
        found = mro.lookup(cls, name)
        if found is not MISSING and not _from_base(cls, found):
            return bind_attribute(m, found, receiver)
    if name == "__class__":
        return cls
    if name == dataclass.FIELDS and isinstance(cls, ClassVal) and cls.is_dataclass:
        return _class(m, cls, name)
    if name == "__dict__":
        return DictVal(receiver.attrs, receiver.open, of=receiver)
    if name == "__module__":
        return m.module_name(cls)
    library_found = _library_attribute(m, cls, receiver, name)
    if not isinstance(library_found, Unknown) or not isinstance(cls, ClassVal):
        return library_found
    for reader in readers.asked(receiver, name, m.frame):
        return calling.call(m, BoundVal(reader, receiver), Arguments((name,)))
    return library_found


def bind_attribute(m: Interpreter, found: Value, receiver: InstanceVal) -> Value:
    """A class attribute seen through an instance: methods are bound, properties are called."""
    if isinstance(found, FuncVal):
        if found.kind == "function":
            return BoundVal(found, receiver)
        if found.kind == "class":
            return BoundVal(found, receiver.cls)
        if found.kind == "property":
            value = calling.call(m, found, Arguments((receiver,)))
            if is_cached(found):
                m.journal.set_item(receiver.attrs, found.name, value)
            return value
    if isinstance(found, BoundVal) and found.receiver is PROPERTY_MARK:
        return calling.call(m, found.func, Arguments((receiver,)))
    return found


#: Decorators of properties that are computed once.
_CACHED = frozenset({"functools.cached_property", "keras.utils.cached_property"})


def is_cached(func: FuncVal) -> bool:
    """Whether a property is computed once, and kept as an attribute."""
    return any(isinstance(one, LibSymbol) and one.name in _CACHED for one in func.decorators)


#: Receiver of the BoundVal that stands for ``property(f)`` and ``cached_property(f)`` of something that is no FuncVal.
PROPERTY_MARK = LibSymbol("builtins.property")


def _library_attribute(m: Interpreter, cls: Value, receiver: InstanceVal | None, name: str, after: Value = None) -> Value:
    """An attribute of a library base: a protocol's property or method, a layer's configuration or weight."""
    bases = mro.library_bases(cls, after)
    for base in bases:
        full = f"{base}.{name}"
        if full in PROPERTIES and receiver is not None:
            return PROPERTIES[full](m, receiver)
        if receiver is None and full in CLASS_METHODS:
            return BoundVal(LibSymbol(full), cls)
        if full in HANDLERS or registry.function_row(full) is not None:
            return BoundVal(LibSymbol(full), receiver) if receiver is not None else LibSymbol(full)
    if receiver is not None and receiver.layer is not None and (found := _configured(m, receiver, name)) is not MISSING:
        return found
    if name == "__init__" and receiver is not None:
        return BoundVal(LibSymbol("builtins.object.__init__"), receiver)
    return _absent(m, cls, receiver, bases, name)


def _absent(m: Interpreter, cls: Value, receiver: InstanceVal | None, bases: list[str], name: str) -> Value:
    if receiver is not None and isinstance(cls, LibSymbol) and not library.lacks(receiver, name):
        absent.tell(m, receiver, name, cls)
        return library.other_attribute(m, cls, receiver, name)
    if receiver is not None and receiver.layer is not None and name in ("forward", "call"):
        return BoundVal(LibSymbol(f"{bases[0]}.{name}"), receiver)
    if receiver is not None and has(receiver, name) is False:
        absent.tell(m, receiver, name)
        exceptions.raise_builtin(m, "AttributeError")
    owner = bases[0] if bases else getattr(cls, "name", "?")
    subject = receiver if receiver is not None else cls
    return m.derive(("absent", id(subject), name), lambda: m.unknown("no-attribute", f"{owner}.{name}"), subject)


#: Weights that torch layers keep as ``None`` when they are configured without them.
_OPTIONAL_WEIGHTS = frozenset({"weight", "bias", "running_mean", "running_var"})


def _configured(m: Interpreter, receiver: InstanceVal, name: str) -> Value:
    config = receiver.layer
    assert config is not None
    types = library.weights_of(m, config)
    if name in _OPTIONAL_WEIGHTS and types is not None and name not in types and config.row.framework == "torch":
        return None
    if types is None or name not in types:
        return config.args.get(library.renamer(config.row)(name), MISSING)
    type_, dtype = types[name], emission.argument(m, "dtype", config.args.get("weight_dtype"), config.row.framework)
    if isinstance(type_, Unknown):
        return type_
    if isinstance(dtype, (DType, Unknown)) and isinstance(type_.dtype, DType) and type_.dtype.kind == "float":
        type_ = type_.with_dtype(dtype)
    weight = m.tensor(type_, framework=config.row.framework, name=name)
    m.journal.add_item(receiver.attrs, name, weight)
    return weight


def _super(m: Interpreter, receiver: SuperVal, name: str) -> Value:
    instance = receiver.receiver
    cls = instance.cls if isinstance(instance, InstanceVal) else instance
    found = mro.lookup(cls, name, receiver.after)
    if found is not MISSING and not (isinstance(cls, ClassVal) and _from_base(cls, found)):
        return bind_attribute(m, found, instance) if isinstance(instance, InstanceVal) else _class_bound(found, cls)
    if not isinstance(instance, InstanceVal):
        inherited = BoundVal(LibSymbol("builtins.object." + name), cls)
        return Unknown("unknown-base", name) if isinstance(found, Unknown) else inherited
    if name == "__init__":
        return m.native(
            "super().__init__", lambda machine, a: classes.initialize_base(machine, cls, instance, a, receiver.after)
        )
    if isinstance(found, Unknown):
        return Unknown("unknown-base", name)
    if name == readers.OWN:
        return BoundVal(LibSymbol(f"builtins.object.{name}"), instance)
    return _library_attribute(m, cls, instance, name, receiver.after)


def _class_bound(found: Value, cls: Value) -> Value:
    return BoundVal(found, cls) if isinstance(found, FuncVal) and found.kind == "class" else found


def has(value: Value, name: Value) -> bool | None:
    """``hasattr(value, name)``, ``None`` if undecided."""
    if not isinstance(name, str):
        return None
    if value is None:
        return hasattr(None, name)
    if isinstance(value, ChoiceVal):
        answers = {has(option, name) for option in value.options}
        return answers.pop() if len(answers) == 1 else None
    if isinstance(value, InstanceVal):
        return _instance_has(value, name)
    if isinstance(value, TensorVal):
        return tensors.has(value, name)
    if isinstance(value, ClassVal):
        return True if mro.find_user_attribute(value, name) is not None else None
    if isinstance(value, ModuleVal) or (isinstance(value, DictVal) and value.named):
        return True if name in (value.attrs if isinstance(value, ModuleVal) else value.items) else None
    return None


def _instance_has(value: InstanceVal, name: str) -> bool | None:
    if name in value.attrs or mro.find_user_attribute(value.cls, name) is not None:
        return True
    if library.lacks(value, name):
        return False
    if value.open is not None or value.handed or not isinstance(value.cls, ClassVal) or name.startswith("_"):
        return None
    extended = any(isinstance(base, Unknown) or (isinstance(base, ClassVal) and base.is_extended) for base in value.cls.mro)
    if extended or readers.has(value.cls):
        return None
    return None if any(_may_have(base, name) for base in mro.library_bases(value.cls)) else False


def _may_have(base: str, name: str) -> bool:
    """Whether objects of a library class may have an attribute: the signature data lists the public methods of torch's modules
    without configuration."""
    if base == "builtins.object":
        return False
    return base not in library.CONTAINERS or name in library.MODULE_ATTRIBUTES or registry.known(f"{base}.{name}")


# --- assignment ------------------------------------------------------------------------------------------------------------


def put(m: Interpreter, receiver: Value, name: str, value: Value) -> None:
    """``receiver.name = value``, journalled."""
    if isinstance(receiver, InstanceVal):
        _put_instance(m, receiver, name, value)
    elif isinstance(receiver, (ClassVal, FuncVal, ModuleVal)):
        m.control.note_change()
        m.journal.set_item(receiver.attrs, name, value)
    elif isinstance(receiver, Assumed):
        put(m, receiver.value, name, value)
    elif isinstance(receiver, ChoiceVal):
        branches.each(m, [partial(put, m, option, name, value) for option in receiver.options])
    elif isinstance(receiver, TensorVal):
        tensors.put_attribute(m, receiver, name, value)
    elif isinstance(receiver, DictVal) and receiver.named:
        lists.set_entry(m, receiver, name, value)
    elif isinstance(receiver, LibSymbol) and name == "__version__":
        m.journal.set_item(m.state, f"{receiver.name}.{name}", value)
    elif isinstance(receiver, Unknown):
        m.known.keep(receiver)
        m.journal.set_item(m.trail.derived, ("attribute", id(receiver), name), value)
        if receiver.reason in open_attributes.ANY_OBJECT:
            open_attributes.put_any(m.journal, m.program, name)


def _put_instance(m: Interpreter, receiver: InstanceVal, name: str, value: Value) -> None:
    found = mro.lookup(receiver.cls, name)
    if isinstance(found, FuncVal) and found.kind == "property":
        setter = mro.lookup(receiver.cls, f"{name}.setter")
        if isinstance(setter, FuncVal):
            calling.call(m, setter, Arguments((receiver, value)))
            return
        if not is_cached(found):
            exceptions.raise_builtin(m, "AttributeError")
            return
    handler = m.setter_of(receiver.cls)
    if contents.of(m, receiver) is not None and _put_by_own_method(m, receiver, name, value):
        return
    if handler is not None:
        handler(m, receiver, Arguments((name, value)))
    else:
        m.journal.set_item(receiver.attrs, name, receiver.stored(name, value))
    if receiver.layer is not None:
        _reconfigure(m.journal, receiver, name, value)


def _put_by_own_method(m: Keeps, receiver: InstanceVal, name: str, value: Value) -> bool:
    """Set an attribute of an object that is a dict or a list as its class says; whether it does."""
    own = mro.lookup(receiver.cls, "__setattr__")
    if name == "__dict__":
        contents.share_attributes(m, receiver, value)
    elif isinstance(own, FuncVal):
        m.call(own, Arguments((receiver, name, value)))
    elif isinstance(own, LibSymbol) and own.name == "builtins.dict.__setitem__":
        m.call(BoundVal(own, receiver), Arguments((name, value)))
    else:
        return False
    return True


def _reconfigure(journal: Journal, receiver: InstanceVal, name: str, value: Value) -> None:
    """``conv.padding = (0, 0)``: what a layer does depends on its attributes, not on what it was built with."""
    config = receiver.layer
    assert config is not None
    canonical = library.renamer(config.row)(name)
    if canonical in config.args:
        args = {**config.args, canonical: unwrap(value)}
        journal.set_attribute(receiver, "layer", LayerConfig(config.row, args, config.nodes, config.defaulted - {canonical}))


def delete(m: Interpreter, receiver: Value, name: str) -> None:
    """``del receiver.name``, journalled."""
    receiver = unwrap(receiver)
    if isinstance(receiver, ChoiceVal):
        branches.each(m, [partial(delete, m, option, name) for option in receiver.options])
    if not isinstance(receiver, (InstanceVal, ClassVal)):
        return
    closed = isinstance(receiver, InstanceVal) and receiver.open is None and not mro.library_bases(receiver.cls)
    if name not in receiver.attrs and closed:
        exceptions.raise_builtin(m, "AttributeError")
    m.journal.delete_item(receiver.attrs, name)


def set_unknown(m: Joins, target: DictVal, value: Value) -> None:
    """``target[key] = value`` for an unknown key: it may add an entry or replace any existing one."""
    if isinstance(target.of, InstanceVal):
        open_attributes.open_names(m.journal, target.of)
    else:
        lists.set_unknown(m, target, value)


_GET: dict[type, Callable[[Any, Any, str], Value]] = {
    InstanceVal: _instance,
    TensorVal: absent.of_tensor,
    LibSymbol: _symbol,
    ModuleVal: lambda m, v, name: m.submodule(v, name),
    ClassVal: _class,
    SuperVal: _super,
    FuncVal: _function,
    PartialVal: _partial,
    BoundVal: _bound,
    Unknown: _unknown,
    ChoiceVal: _choice,
    SliceVal: _slice,
    Assumed: lambda m, v, name: get(m, settings.used(m, v, "AttributeError"), name),
}
