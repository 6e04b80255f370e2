"""``dataclasses``, ``collections.namedtuple``, ``enum.auto`` and argument parsers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import LIBRARY_BASES
from dllint.ir.values import Arguments, ClassVal, DictVal, InstanceVal, IterVal, LibSymbol, ListVal, Value, unwrap
from dllint.lower import dataclass, mro, repeats, subscripts
from dllint.lower.arguments import as_dim
from dllint.lower.natives import containers
from dllint.lower.natives.arguments import argument
from dllint.lower.natives.native import native
from dllint.lower.natives.sequences import merge
from dllint.lower.scopes import MISSING

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine
    from dllint.lower.machine import Interpreter
    from dllint.lower.parts import Builds

LIBRARY_BASES.update({
    "argparse.ArgumentParser": (), "argparse.Namespace": (), "collections.defaultdict": (), "types.SimpleNamespace": (),
    "enum.IntEnum": ("enum.Enum",), "enum.StrEnum": ("enum.Enum",), "enum.Enum": (), "typing.NamedTuple": (),
    "collections.deque": (),
    "collections.Counter": (),
})  # fmt: skip


@native("dataclasses.dataclass", "attr.s", "attr.dataclass", "attrs.define")
def _dataclass(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    return dataclass.make_record(argument(arguments, 0)) if arguments.args else dataclass.decorator()


@native("dataclasses.field", "attr.ib", "pydantic.Field")
def _field(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    kwargs = dict(arguments.kwargs)
    if arguments.args:
        kwargs["default"] = arguments.args[0]
    return InstanceVal(dataclass.FIELD, kwargs)


@native("dataclasses.replace")
def _replace(m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    if not isinstance(value, InstanceVal) or not isinstance(value.cls, ClassVal):
        return Unknown("replace")
    held = {name: value.attrs[name] for name in dataclass.fields(value.cls) if name in value.attrs}
    return m.call(value.cls, Arguments((), {**held, **arguments.kwargs}, None, arguments.double_star))


@native("dataclasses.asdict")
def _asdict(m: Builds, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    if not isinstance(value, InstanceVal) or not isinstance(value.cls, ClassVal):
        return Unknown("asdict")
    held = {name: value.attrs[name] for name in dataclass.fields(value.cls) if name in value.attrs}
    return DictVal({name: _as_dicts(m, part) for name, part in held.items()})


def _as_dicts(m: Builds, value: Value) -> Value:
    """A copy of what a field holds; what is a record inside it is not looked into."""
    inside = [value, *(value.items if isinstance(value, ListVal) else ())]
    records = any(isinstance(part, InstanceVal) and isinstance(part.cls, ClassVal) for part in inside)
    return Unknown("asdict") if records else repeats.copy(m, value)


@native("dataclasses.fields")
def _fields(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    value = argument(arguments, 0)
    cls = value.cls if isinstance(value, InstanceVal) else value
    names = dataclass.fields(cls) if isinstance(cls, ClassVal) else {}
    return tuple(_described(name, default) for name, default in names.items())


#: What a field has in place of a default that it lacks.
_LACKING = LibSymbol("dataclasses.MISSING")


def _described(name: str, default: Value) -> InstanceVal:
    """A field with its name and its defaults, as ``dataclasses.fields`` gives it."""
    stated: dict[str, Value] = {} if default is MISSING else {"default": default}
    if isinstance(default, InstanceVal) and default.cls == dataclass.FIELD:
        stated = default.attrs
    defaults = {key: stated.get(key, _LACKING) for key in ("default", "default_factory")}
    return InstanceVal(dataclass.FIELD, {"name": name, **defaults})


@native("collections.namedtuple")
def _namedtuple(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    names = argument(arguments, 1, "field_names")
    fields = names.replace(",", " ").split() if isinstance(names, str) else m.iterate(names)
    known = [field for field in fields if isinstance(field, str)] if isinstance(fields, list) else []
    if isinstance(fields, Unknown) or len(known) < len(fields):
        return Unknown("dynamic-class", "namedtuple")
    cls = ClassVal(str(argument(arguments, 0)), None, m.frame.document, (LibSymbol("typing.NamedTuple"),))
    cls.mro = mro.linearize(cls)
    cls.is_dataclass = True
    cls.attrs["__annotations__"] = dict.fromkeys(known)
    return cls


@native("typing.NamedTuple.__iter__", on=InstanceVal)
def _record_items(_m: Machine, receiver: InstanceVal, _arguments: Arguments) -> Value:
    return IterVal(list(receiver.attrs.values()))


@native("typing.NamedTuple.__getitem__", on=InstanceVal)
def _record_item(_m: Machine, receiver: InstanceVal, arguments: Arguments) -> Value:
    index = argument(arguments, 0)
    values = list(receiver.attrs.values())
    return values[index] if isinstance(index, int) and -len(values) <= index < len(values) else Unknown("unknown-index")


@native("typing.NamedTuple._replace", on=InstanceVal)
def _record_replace(m: Builds, receiver: InstanceVal, arguments: Arguments) -> Value:
    return InstanceVal(receiver.cls, {**receiver.attrs, **arguments.kwargs}, m.site)


@native("typing.NamedTuple._asdict", on=InstanceVal)
def _record_dict(_m: Machine, receiver: InstanceVal, _arguments: Arguments) -> Value:
    return DictVal(dict(receiver.attrs))


@native("enum.Enum.__new__")
def _member(m: Interpreter, cls: Value, arguments: Arguments) -> Value:
    return dataclass.member_of(m, cls, argument(arguments, 0)) if isinstance(cls, ClassVal) else Unknown("dynamic-class")


@native("enum.auto")
def _auto(_m: Machine, _receiver: Value, _arguments: Arguments) -> Value:
    return InstanceVal(dataclass.AUTO)


@native("types.SimpleNamespace.__init__", "argparse.Namespace.__init__", on=InstanceVal)
def _fill_namespace(m: Builds, receiver: InstanceVal, arguments: Arguments) -> Value:
    """The constructor of a class derived from a namespace."""
    for name, value in arguments.kwargs.items():
        m.journal.set_item(receiver.attrs, name, value)
    if arguments.double_star is not None:
        m.journal.set_attribute(receiver, "open", arguments.double_star)
    return None


@native("types.SimpleNamespace", "argparse.Namespace")
def _namespace(m: Builds, _receiver: Value, arguments: Arguments) -> Value:
    open_ended = arguments.double_star
    return InstanceVal(LibSymbol("types.SimpleNamespace"), dict(arguments.kwargs), m.site, open=open_ended)


# --- collections.defaultdict, Counter -------------------------------------------------------------


@native("collections.defaultdict")
def _defaultdict(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    out = DictVal({}, factory=argument(arguments, 0))
    m.journal.note_created(out.items)
    if len(arguments.args) > 1:
        merge(m, out, argument(arguments, 1))
    merge(m, out, DictVal(dict(arguments.kwargs), arguments.double_star))
    return out


@native("collections.Counter")
def _counter(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    """A dict of numbers in which what is missing counts as none."""
    out = DictVal({}, factory=subscripts.COUNTER)
    m.journal.note_created(out.items)
    containers.count(m, out, arguments)
    return out


# --- argparse -------------------------------------------------------------------------------------

_PARSER = "argparse.ArgumentParser"


@native(_PARSER)
def _parser(m: Builds, _receiver: Value, _arguments: Arguments) -> Value:
    return InstanceVal(LibSymbol(_PARSER), {}, m.site, state={"options": DictVal()})


@native(f"{_PARSER}.add_argument", on=InstanceVal)
def _add_argument(m: Interpreter, receiver: InstanceVal, arguments: Arguments) -> Value:
    names = [v for v in map(unwrap, arguments.args) if isinstance(v, str)]
    longest = next((n for n in names if n.startswith("--")), names[0] if names else None)
    name = unwrap(arguments.kwargs.get("dest")) or (longest.lstrip("-").replace("-", "_") if longest else None)
    options = receiver.state.get("options")
    if isinstance(name, str) and isinstance(options, DictVal):
        m.journal.set_item(options.items, name, _option(m, name, arguments))
    return None


def _option(m: Interpreter, name: str, arguments: Arguments) -> Value:
    action = unwrap(arguments.kwargs.get("action"))
    if action in ("store_true", "store_false") and "default" not in arguments.kwargs:
        return m.setting(name, action == "store_false")
    if "default" in arguments.kwargs:
        return m.setting(name, _converted(m, arguments))
    kind = arguments.kwargs.get("type")
    if unwrap(arguments.kwargs.get("required")) is True or not name.startswith("-"):
        return (
            as_dim(m, Unknown("parameter", name), surely=True)
            if kind == LibSymbol("builtins.int")
            else Unknown("parameter", name)
        )
    return m.setting(name, None)


def _converted(m: Machine, arguments: Arguments) -> Value:
    """argparse applies ``type`` to a default that is a string."""
    default, kind = unwrap(arguments.kwargs["default"]), arguments.kwargs.get("type")
    return m.call(kind, Arguments((default,))) if isinstance(default, str) and isinstance(kind, LibSymbol) else default


@native(f"{_PARSER}.add_argument_group", f"{_PARSER}.add_mutually_exclusive_group", on=InstanceVal)
def _group(_m: Machine, receiver: InstanceVal, _arguments: Arguments) -> Value:
    return receiver


@native(f"{_PARSER}.set_defaults", on=InstanceVal)
def _set_defaults(m: Interpreter, receiver: InstanceVal, arguments: Arguments) -> Value:
    options = receiver.state.get("options")
    for name, value in arguments.kwargs.items():
        if isinstance(options, DictVal):
            m.journal.set_item(options.items, name, m.setting(name, unwrap(value)))
    return None


@native(f"{_PARSER}.parse_args", on=InstanceVal)
def _parse_args(m: Builds, receiver: InstanceVal, _arguments: Arguments) -> Value:
    options = receiver.state.get("options")
    attrs = dict(options.items) if isinstance(options, DictVal) else {}
    return InstanceVal(LibSymbol("argparse.Namespace"), attrs, m.site)


@native(f"{_PARSER}.parse_known_args", on=InstanceVal)
def _parse_known_args(m: Interpreter, receiver: InstanceVal, arguments: Arguments) -> Value:
    return _parse_args(m, receiver, arguments), ListVal([], Unknown("argv"))
