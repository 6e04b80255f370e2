"""Builtins about objects: ``isinstance``, ``getattr``, ``type``, ``callable``, ``print`` …"""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from dllint.domains.lattice import Unknown
from dllint.frameworks import registry
from dllint.frameworks.history.record import public_names
from dllint.ir.program import TensorVal
from dllint.ir.values import (
    Arguments,
    Assumed,
    BoundVal,
    ClassVal,
    DictVal,
    FuncVal,
    InstanceVal,
    LibSymbol,
    ListVal,
    ModuleVal,
    NativeVal,
    PartialVal,
    Value,
    unwrap,
)  # fmt: skip
from dllint.lower import attributes, branches, instances, mro, open_attributes
from dllint.lower.instances import PYTHON_TYPES
from dllint.lower.lazy import ChoiceVal
from dllint.lower.natives.arguments import argument
from dllint.lower.natives.native import Method, native
from dllint.lower.tensors import TENSOR_CLASS

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine
    from dllint.lower.machine import Interpreter
    from dllint.lower.parts import Derives, Imports, Keeps, Reads
    from dllint.lower.scopes import Frame


@native("builtins.isinstance")
def _isinstance(m: Derives, _receiver: Value, arguments: Arguments) -> Value:
    value, kinds = argument(arguments, 0), argument(arguments, 1)
    answer = instances.is_any_instance(value, kinds)
    if answer is not None:
        return Assumed(answer, value.name) if isinstance(value, TensorVal) and value in m.known.presumed else answer
    return m.derive(("isinstance", id(value), _kind_key(kinds)), lambda: Unknown("undecided", "isinstance"), value, kinds)


def _kind_key(kinds: Value) -> Hashable:
    if isinstance(kinds, tuple):
        return tuple(map(_kind_key, kinds))
    return kinds.name if isinstance(kinds, LibSymbol) else id(kinds)


@native("builtins.issubclass")
def _issubclass(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    cls, kinds = argument(arguments, 0), argument(arguments, 1)
    answers = [mro.is_subclass(cls, kind) for kind in (kinds if isinstance(kinds, tuple) else (kinds,))]
    if True in answers:
        return True
    return Unknown("undecided", "issubclass") if None in answers or isinstance(cls, Unknown) else False


@native("builtins.hasattr")
def _hasattr(m: Derives, _receiver: Value, arguments: Arguments) -> Value:
    value, name = argument(arguments, 0), argument(arguments, 1)
    answer = attributes.has(value, name)
    return (
        answer
        if answer is not None
        else m.derive(("hasattr", id(value), str(name)), lambda: Unknown("undecided", "hasattr"), value)
    )


@native("builtins.getattr", "builtins.object.__getattribute__")
def _getattr(m: Interpreter, receiver: Value, arguments: Arguments) -> Value:
    if receiver is not None and len(arguments.args) == 1:  # super().__getattribute__(name)
        arguments = Arguments((receiver, *arguments.args))
    value, name = argument(arguments, 0), argument(arguments, 1)
    if isinstance(name, ChoiceVal):
        rest = arguments.args[2:]
        thunks = [lambda option=option: _getattr(m, None, Arguments((value, option, *rest))) for option in name.options]
        return branches.each(m, thunks)
    if not isinstance(name, str):
        return Unknown("unknown-attribute-name")
    if len(arguments.args) > 2 and attributes.has(value, name) is False:
        return argument(arguments, 2)
    if len(arguments.args) > 2 and isinstance(value, ChoiceVal):
        rest = arguments.args[1:]
        return branches.each(m, [partial(_getattr, m, None, Arguments((option, *rest))) for option in value.options])
    found = m.getattr(value, name)
    missing = isinstance(found, Unknown) and found.reason in ("no-attribute", "unmodelled-attribute", "unknown-base")
    return argument(arguments, 2) if missing and len(arguments.args) > 2 else found


@native("builtins.setattr")
def _setattr(m: Keeps, receiver: Value, arguments: Arguments) -> Value:
    target, name, value = (
        (receiver, *arguments.args)
        if receiver is not None and len(arguments.args) == 2
        else (*arguments.args, None, None, None)[:3]
    )
    name = unwrap(name)
    if isinstance(name, str):
        m.setattr(target, name, value)
    elif isinstance(target, InstanceVal):
        open_attributes.open_names(m.journal, target)
    return None


@native("builtins.delattr")
def _delattr(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    target, name = argument(arguments, 0), argument(arguments, 1)
    if isinstance(name, str):
        attributes.delete(m, target, name)
    return None


@native("builtins.type")
def _type(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    if len(arguments.args) == 3:
        return _dynamic_class(m.frame, arguments)
    value = argument(arguments, 0)
    if isinstance(value, InstanceVal):
        return value.cls
    if isinstance(value, TensorVal):
        return LibSymbol(TENSOR_CLASS[value.framework])
    own = PYTHON_TYPES.get(type(value))
    return LibSymbol(f"builtins.{own[0]}") if own is not None else Unknown("unknown-type")


def _dynamic_class(frame: Frame, arguments: Arguments) -> Value:
    name, bases, attrs = (unwrap(v) for v in arguments.args)
    if not isinstance(bases, tuple) or not isinstance(attrs, DictVal):
        return Unknown("dynamic-class")
    cls = ClassVal(name if isinstance(name, str) else "?", None, frame.document, bases, dict(attrs.items))
    cls.mro = mro.linearize(cls)
    return cls


@native("builtins.callable")
def _callable(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    if isinstance(value, (FuncVal, BoundVal, ClassVal, PartialVal, NativeVal)):
        return True
    if isinstance(value, InstanceVal):
        return (
            True
            if value.layer is not None or mro.find_user_attribute(value.cls, "__call__") is not None
            else Unknown("undecided", "callable")
        )
    if isinstance(value, LibSymbol):
        return True if registry.known(value.name) else Unknown("undecided", "callable")
    return Unknown("undecided", "callable") if isinstance(value, (Unknown, ChoiceVal)) else False


@native(
    "builtins.print", "builtins.object.__init__", "builtins.object.__init_subclass__", "builtins.breakpoint", "builtins.help"
)
def _nothing(_m: Machine, _receiver: Value, _arguments: Arguments) -> Value:
    return None


@native("builtins.vars", "builtins.object.__dict__")
def _vars(m: Imports, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    return (
        DictVal(value.attrs, value.open if isinstance(value, InstanceVal) else None, of=value)
        if isinstance(value, (InstanceVal, ModuleVal))
        else DictVal(m.frame.scope.vars, of=Unknown("variables"))
        if not arguments.args
        else Unknown("vars")
    )


@native("builtins.globals")
def _globals(m: Imports, _receiver: Value, _arguments: Arguments) -> Value:
    return DictVal(m.frame.scope.module.vars, of=Unknown("variables"))


@native("builtins.locals")
def _locals(m: Imports, _receiver: Value, _arguments: Arguments) -> Value:
    return DictVal(dict(m.frame.scope.vars))


@native("builtins.object")
def _object(m: Reads, _receiver: Value, _arguments: Arguments) -> Value:
    return InstanceVal(LibSymbol("builtins.object"), site=m.site)


@native(
    "builtins.compile",
    "builtins.input",
    "builtins.__import__",
)
def _dynamic(_m: Machine, _receiver: Value, _arguments: Arguments) -> Value:
    return Unknown("dynamic")


@native("builtins.dir")
def _dir(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    """The names that a module of a library has in its present release, and others (``"silu" in dir(torch.nn.functional)``)."""
    value = argument(arguments, 0) if arguments.args else None
    names = public_names().get(value.name) if isinstance(value, LibSymbol) else None
    return Unknown("dynamic") if names is None else ListVal([*sorted(names)], Unknown("dynamic"))


@native("builtins.object.__new__")
def _new(m: Reads, receiver: Value, arguments: Arguments) -> Value:
    cls = argument(arguments, 0, default=receiver)
    return InstanceVal(cls, site=m.site) if isinstance(cls, (ClassVal, LibSymbol)) else Unknown("dynamic-class")


@native("builtins.property")
def _property(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    getter = argument(arguments, 0, "fget")
    if isinstance(getter, FuncVal):
        return replace(getter, kind="property")
    return Unknown("dynamic-property")


def _rekinded(kind: str) -> Method[Value]:
    def convert(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
        function = argument(arguments, 0)
        if not isinstance(function, FuncVal):
            return function
        fields = {slot: getattr(function, slot) for slot in FuncVal.__slots__}
        return FuncVal(**{**fields, "kind": kind})

    return convert


native("builtins.staticmethod")(_rekinded("static"))
native("builtins.classmethod")(_rekinded("class"))


@native("sys.modules.__getitem__")
def _loaded_module(m: Imports, _receiver: Value, arguments: Arguments) -> Value:
    """``sys.modules[name]``: a module of the workspace that has been loaded."""
    name = argument(arguments, 0)
    found = next((module for module in m.imports.modules.values() if module.attrs.get("__name__", module.name) == name), None)
    return found if found is not None else Unknown("unknown-key", "sys.modules")
