"""None where the code uses it as an object: it means what is given in place of that default, or another of several values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dllint.domains.lattice import Unknown
from dllint.ir.values import Assumed, LibSymbol, Value
from dllint.lower import exceptions

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter


def used(m: Interpreter, value: Assumed, error: str) -> Value:
    """What a default is where its attribute, an item or the result of calling it is asked for: the default, or, as None has
    none of these, something that is given. Where a statement catches the ``error`` that None raises, None may be meant, too."""
    if value.value is not None:
        return value.value
    exceptions.may_raise(m, (LibSymbol(f"builtins.{error}"),))
    return given(m, value)


def usable(m: Interpreter, options: tuple[Value, ...], error: str) -> list[Value]:
    """Those of several values that can be used as an object, of which one is meant: all but None, if there are others. Where a
    statement catches the ``error`` that None raises, that may happen, too."""
    found = [option for option in options if option is not None]
    if not found or len(found) == len(options):
        return list(options)
    exceptions.may_raise(m, (LibSymbol(f"builtins.{error}"),))
    return found


def given(m: Interpreter, value: Assumed) -> Unknown:
    """Something that is given in the place of a default, always the same for the same one."""
    return m.derive(("given", id(value)), lambda: _noted(m, Unknown("parameter", value.source)), value)


def _noted(m: Interpreter, value: Unknown) -> Unknown:
    m.known.given.note(value, True)
    return value
