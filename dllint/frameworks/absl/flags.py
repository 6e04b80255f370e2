"""Flags: each has its default value, which the user may change."""

from __future__ import annotations

from typing import Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.given import given
from dllint.frameworks.machine import Machine, handler
from dllint.ir.values import Arguments, Assumed, ListVal, Value

_FLAGS: Final = "flags"
_KINDS: Final = (
    "string",
    "integer",
    "float",
    "boolean",
    "bool",
    "enum",
    "list",
    "multi_integer",
    "multi_string",
    "spaceseplist",
)


@handler(*(f"absl.flags.DEFINE_{kind}" for kind in _KINDS))
def define(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``DEFINE_integer(name, default, help)``; TensorFlow calls the first two ``flag_name`` and ``default_value``, too."""
    asked = given("name=None, default=None, *rest, default_value=None, flag_name=None, **options", arguments)
    name = asked["name"] if asked["name"] is not None else asked["flag_name"]
    default = asked["default"] if asked["default"] is not None else asked["default_value"]
    if isinstance(name, str):
        _remember(machine, name, _value(name, default))
    return None


def _value(name: str, default: Value) -> Value:
    if default is None:
        return Unknown("parameter", f"FLAGS.{name}")
    return default if isinstance(default, (Unknown, ListVal)) else Assumed(default, f"FLAGS.{name}")


def _remember(machine: Machine, name: str, value: Value) -> None:
    machine.write(machine.state, _FLAGS, {**_defined(machine), name: value})


def _defined(machine: Machine) -> dict[str, Value]:
    found = machine.state.get(_FLAGS)
    return found if isinstance(found, dict) else {}


@handler("absl.flags.FLAGS.__getattr__")
def flag(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``FLAGS.name``; one that another file defines is a parameter without a value."""
    name = str(arguments.positional(0))
    known = _defined(machine)
    if name not in known:
        _remember(machine, name, Unknown("parameter", f"FLAGS.{name}"))
    return _defined(machine)[name]


@handler("absl.flags.mark_flag_as_required", "absl.flags.mark_flags_as_required", "absl.flags.FLAGS")
def nothing(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """Parses what the user gives."""
    return None


@handler("absl.app.run")
def run(machine: Machine, _: Value, arguments: Arguments) -> Value:
    """``run(main)`` calls ``main(argv)``; without an argument it is the module's, which is an entry of its own."""
    main = next((v for v in (*arguments.args, *(arguments.kwargs.get("main"),)) if v is not None), None)
    return None if main is None else machine.call(main, Arguments((Unknown("argv"),)))
