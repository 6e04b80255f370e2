"""``functools``, ``copy`` and decorators that change nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from dllint.domains.dim import DimExpr
from dllint.domains.lattice import Unknown
from dllint.ir.values import (
    Arguments,
    BoundVal,
    DictVal,
    FuncVal,
    InstanceVal,
    ListVal,
    NativeVal,
    PartialVal,
    SetVal,
    Value,
)
from dllint.lower import exceptions, mro, repeats
from dllint.lower.lazy import ChoiceVal
from dllint.lower.natives.arguments import argument, given
from dllint.lower.natives.native import Method, native
from dllint.lower.natives.sequences import listed

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine
    from dllint.lower.machine import Interpreter


@native("functools.partial", "functools.partialmethod")
def _partial(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    if not arguments.args:
        return Unknown("missing-argument", "partial")
    func, args, kwargs = argument(arguments, 0), tuple(arguments.args[1:]), dict(arguments.kwargs)
    if isinstance(func, PartialVal):  # as in Python, a partial of a partial is one partial
        return PartialVal(func.func, (*func.args, *args), {**func.kwargs, **kwargs})
    return PartialVal(func, args, kwargs)


@native("functools.wraps")
def _wraps(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    """The wrapper, under the name of what it wraps."""
    wrapped = argument(arguments, 0, "wrapped")

    def wrap(_machine: Machine, given: Arguments) -> Value:
        wrapper = argument(given, 0)
        if isinstance(wrapper, FuncVal) and isinstance(wrapped, (FuncVal, BoundVal)):
            m.journal.set_item(wrapper.attrs, "__name__", m.getattr(wrapped, "__name__"))
            m.journal.set_item(wrapper.attrs, "__wrapped__", wrapped)
        return wrapper

    return NativeVal("wraps", wrap)


@native("functools.lru_cache", "functools.cache", "functools.total_ordering", "functools.singledispatch",
         "contextlib.contextmanager",
         "typing.final", "typing.overload", "typing.no_type_check", "typing.runtime_checkable", "abc.abstractmethod",
         "functools.update_wrapper")  # fmt: skip
def _identity(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    return decorating(argument(arguments, 0))


def decorating(first: Value) -> Value:
    """The result of a decorator: the decorated function, or a decorator if it was given options only."""
    if first is None or isinstance(first, (int, DimExpr)):
        return NativeVal("identity", lambda _machine, a: argument(a, 0))
    return Unknown("undecided", "decorator") if isinstance(first, ChoiceVal) else first


@native("functools.reduce")
def _reduce(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    function, (items, rest) = argument(arguments, 0), listed(m, argument(arguments, 1))
    if rest is not None:
        return Unknown("unknown-length", "reduce")
    if len(arguments.args) > 2:
        items = [arguments.args[2], *items]
    if not items:
        exceptions.raise_builtin(m, "TypeError")
        return Unknown("empty-iterable")
    out = items[0]
    for item in items[1:]:
        out = m.call(function, Arguments((out, item)))
    return out


@native("copy.deepcopy")
def _deep_copy(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    """Another object; of what is not known, too: a frozen copy of a model leaves the model as it is."""
    value = argument(arguments, 0)
    if type(value) is Unknown:
        return Unknown(value.reason, value.detail)
    method = mro.special(value, "__deepcopy__") if isinstance(value, InstanceVal) else None
    return repeats.copy(m, value) if method is None else m.call(method, Arguments((DictVal(),)))


@native("copy.copy")
def _copy(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    """A copy that holds what the original holds; of a layer's weights, which a program only reads, it has its own."""
    value = argument(arguments, 0)
    if isinstance(value, (ListVal, SetVal)):
        return type(value)(list(value.items), value.rest)
    if isinstance(value, DictVal):
        return DictVal(dict(value.items), value.rest, value.factory, others=value.others)
    if not isinstance(value, InstanceVal) or value.layer is not None or value.state:
        return repeats.copy(m, value)
    method = mro.special(value, "__copy__")
    if method is not None:
        return m.call(method, Arguments())
    return InstanceVal(value.cls, dict(value.attrs), value.site, None, value.open, handed=value.handed, later=value.later)


# --- operator --------------------------------------------------------------------------------------


@native("operator.methodcaller")
def _method_caller(m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    name, rest = argument(arguments, 0), Arguments(arguments.args[1:], arguments.kwargs, arguments.star, arguments.double_star)
    if not isinstance(name, str):
        return Unknown("unknown-attribute-name")
    return NativeVal("methodcaller", lambda _m, given: m.call(m.getattr(argument(given, 0), name), rest))


def _getter(take: Callable[[Interpreter, Value, Value], Value]) -> Method[Value]:
    """``itemgetter`` or ``attrgetter``: of several keys, all that they stand for."""

    def getter(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
        keys = given(arguments)

        def get(_machine: Machine, of: Arguments) -> Value:
            found = tuple(take(m, argument(of, 0), key) for key in keys)
            return found[0] if len(found) == 1 else found

        return NativeVal("getter", get) if arguments.star is None else Unknown("unknown-arguments")

    return getter


def _attribute(m: Machine, value: Value, path: Value) -> Value:
    if not isinstance(path, str):
        return Unknown("unknown-attribute-name")
    for name in path.split("."):
        value = m.getattr(value, name)
    return value


native("operator.itemgetter")(_getter(lambda m, value, key: m.getitem(value, key)))
native("operator.attrgetter")(_getter(_attribute))
