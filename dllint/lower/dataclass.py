"""Classes that write their own constructors: dataclasses, ``NamedTuple`` subclasses, enumerations."""

from __future__ import annotations

from typing import TYPE_CHECKING

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.frameworks.binding import REQUIRED, Param, bind
from dllint.ir.values import Arguments, BoundVal, ClassVal, DictVal, FuncVal, InstanceVal, LibSymbol, NativeVal, Value, unwrap
from dllint.lower import calling, exceptions, identity, mro
from dllint.lower.scopes import MISSING

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter
    from dllint.lower.parts import Derives

#: Library bases whose subclasses get a constructor from their annotated attributes.
_RECORD_BASES = frozenset({"typing.NamedTuple", "pydantic.BaseModel", "flax.linen.Module"})
_ENUMS = ("enum.Enum", "enum.IntEnum", "enum.StrEnum", "enum.Flag", "enum.IntFlag")
#: What dataclasses and their instances have: their fields by name.
FIELDS = "__dataclass_fields__"
FIELD = LibSymbol("dataclasses.field")
AUTO = LibSymbol("enum.auto")


def prepare(m: Derives, cls: ClassVal) -> None:
    """Note at a class's definition that it is a record, or make an enumeration's members."""
    bases = set(mro.library_bases(cls))
    if bases & _RECORD_BASES or any(
        isinstance(c, ClassVal) and c.is_dataclass and c.attrs.get("__record__") for c in cls.mro[1:]
    ):
        cls.is_dataclass = True
        cls.attrs["__record__"] = True
    if bases.intersection(_ENUMS):
        _make_members(m, cls)


def _make_members(m: Derives, cls: ClassVal) -> None:
    """The members of an enumeration; a second name for a value is a second name for its member."""
    members: list[InstanceVal] = []
    for name, value in list(cls.attrs.items()):
        if name.startswith("_") or isinstance(value, (FuncVal, ClassVal)):
            continue
        value = unwrap(value)
        if isinstance(value, InstanceVal) and value.cls == AUTO:
            value = _next_number(cls, members)
        same = next((one for one in members if identity.equals(m, one.own("value"), value)), None)
        if same is None:
            same = InstanceVal(cls, {"value": value, "_value_": value, "name": name})
            members.append(same)
        cls.attrs[name] = same


def _next_number(cls: ClassVal, members: list[InstanceVal]) -> Value:
    """The value of ``auto()``: one more than the greatest value so far, in flags the next power of two."""
    numbers = [value for one in members if isinstance(value := one.own("value"), int)]
    if len(numbers) < len(members) or mro.find_user_attribute(cls, "_generate_next_value_") is not None:
        return Unknown("enum-auto")
    if {"enum.Flag", "enum.IntFlag"}.intersection(mro.library_bases(cls)):
        return 1 << max(numbers).bit_length() if numbers else 1
    return Unknown("enum-auto") if "enum.StrEnum" in mro.library_bases(cls) else max(numbers, default=0) + 1


def member_of(m: Interpreter, cls: ClassVal, value: Value) -> Value:
    """``Color(value)``: the member with that value."""
    members = members_of(cls)
    answers = [True if one is value else identity.equals(m, one.own("value"), value) for one in members]
    if True in answers:
        return members[answers.index(True)]
    if members and None not in answers and mro.find_user_attribute(cls, "_missing_") is None:
        exceptions.raise_builtin(m, "ValueError")
    return Unknown("unknown-key", f"member of {cls.name}")


def members_of(cls: ClassVal) -> list[InstanceVal]:
    """The members of an enumeration in order, each once."""
    return list({id(value): value for value in cls.attrs.values() if mro.is_member(value)}.values())


def fields(cls: ClassVal) -> dict[str, Value]:
    """The annotated attributes along the MRO, base first, with their defaults (MISSING if there is none)."""
    out: dict[str, Value] = {}
    for klass in reversed(cls.mro):
        if isinstance(klass, ClassVal):
            declared = klass.attrs.get("__annotations__")
            names = declared.items if isinstance(declared, DictVal) else declared if isinstance(declared, dict) else {}
            for name, annotation in names.items():
                if not _is_of_class(annotation):
                    out[name] = klass.attrs.get(name, out.get(name, MISSING))
    return out


def _is_of_class(annotation: Value | cst.CSTNode) -> bool:
    """Whether an annotation says ``ClassVar``: such an attribute is no field."""
    if isinstance(annotation, cst.SimpleString):
        text = annotation.raw_value
        return text.partition("[")[0].rpartition(".")[2] == "ClassVar"
    if not isinstance(annotation, cst.CSTNode):
        return False
    named = annotation.value if isinstance(annotation, cst.Subscript) else annotation
    last = named.attr if isinstance(named, cst.Attribute) else named
    return isinstance(last, cst.Name) and last.value == "ClassVar"


def initialize(m: Interpreter, cls: ClassVal, instance: InstanceVal, arguments: Arguments) -> None:
    """The generated ``__init__``; for a class that is no record, nothing but keyword attributes can be meant."""
    if not any(isinstance(c, ClassVal) and c.is_dataclass for c in cls.mro):
        return
    declared = fields(cls)
    parameters = {name: default for name, default in declared.items() if _is_given(default)}
    bound = bind(
        tuple(Param(name, "pos", REQUIRED if default is MISSING else default) for name, default in parameters.items()),
        arguments,
    )
    for name, default in declared.items():
        if name in bound.values and _is_given(default):
            value = bound.values[name]
        elif default is MISSING:
            value = Unknown("missing-argument", name)
        else:
            value = _default(m, default)
        m.journal.set_item(instance.attrs, name, value)
    post = mro.lookup(cls, "__post_init__")
    if isinstance(post, FuncVal):
        calling.call(m, BoundVal(post, instance), Arguments())


def _is_given(default: Value) -> bool:
    """Whether a field is a parameter of the constructor."""
    return not (isinstance(default, InstanceVal) and default.cls == FIELD and default.attrs.get("init") is False)


def _default(m: Interpreter, default: Value) -> Value:
    if isinstance(default, InstanceVal) and default.cls == FIELD:
        factory = default.attrs.get("default_factory")
        if factory is not None:
            return calling.call(m, factory, Arguments())
        return default.attrs.get("default", Unknown("missing-argument", "field"))
    return default


def make_record(cls: Value) -> Value:
    """``@dataclass`` applied to a class."""
    if isinstance(cls, ClassVal):
        cls.is_dataclass = True
    return cls


def decorator() -> NativeVal:
    """``@dataclass(...)`` with arguments."""
    return NativeVal("dataclass", lambda _m, a: make_record(a.args[0]) if a.args else Unknown("missing-argument"))
