"""``arg_scope``: default arguments for functions of ``slim`` and for the program's own, inside a ``with`` block."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import Machine, handler
from dllint.ir.values import Arguments, InstanceVal, LibSymbol, NativeVal, Value

SCOPE: Final = "tensorflow.contrib.framework.arg_scope"
_KEY: Final = "arg_scope"

#: Function → its default arguments; functions of the program by identity, under :data:`_HELD` themselves.
Defaults = Mapping[str, Mapping[str, Value]]
#: In place of a function: the functions with defaults, so that none goes and another one gets its identity.
_HELD: Final = ""


def _key(function: Value) -> str:
    return function.name if isinstance(function, LibSymbol) else str(id(function))


def current(machine: Machine) -> Defaults:
    """The defaults that hold at the present statement."""
    found = machine.state.get(_KEY)
    return found if isinstance(found, dict) else {}


def with_defaults(machine: Machine, function: Value, arguments: Arguments) -> Arguments:
    """The arguments with the scope's defaults where none was given."""
    defaults = current(machine).get(_key(function), {})
    return replace(arguments, kwargs={**defaults, **arguments.kwargs}) if defaults else arguments


@handler(SCOPE)
def arg_scope(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``arg_scope([functions], **defaults)``, or a scope made before."""
    out = InstanceVal(LibSymbol(SCOPE), site=machine.site)
    given = next(iter(arguments.args), arguments.kwargs.get("list_ops_or_scope"))
    if isinstance(given, InstanceVal) and "scope" in given.state:
        machine.write(out.state, "scope", given.kept("scope"))
        return out
    functions = machine.iterate(given)
    scope = dict(current(machine))
    for function in () if isinstance(functions, Unknown) else functions:
        key = _key(function)
        scope[key] = {**scope.get(key, {}), **arguments.kwargs}
        scope[_HELD] = {**scope.get(_HELD, {}), key: function}
    machine.write(out.state, "scope", scope)
    return out


@handler(f"{SCOPE}.__enter__", on=InstanceVal)
def enter(machine: Machine, scope: InstanceVal, arguments: Arguments) -> Value:
    """The defaults hold from here on."""
    machine.write(scope.state, "outer", current(machine))
    machine.write(machine.state, _KEY, scope.kept("scope"))
    return scope


@handler(f"{SCOPE}.__exit__", on=InstanceVal)
def leave(machine: Machine, scope: InstanceVal, arguments: Arguments) -> Value:
    """The defaults that held before hold again."""
    machine.write(machine.state, _KEY, scope.state.get("outer", {}))
    return None


@handler("tensorflow.contrib.framework.add_arg_scope")
def add_arg_scope(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """A function of the program that takes part: its calls get the scope's defaults."""
    function = arguments.args[0] if arguments.args else None

    def call(inner: Machine, given: Arguments) -> Value:
        return inner.call(function, with_defaults(inner, scoped, given))

    scoped = NativeVal("add_arg_scope", call)
    return scoped
