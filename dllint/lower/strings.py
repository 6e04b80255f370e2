"""f-strings, ``%`` and ``format`` over abstract values: a string if every part is a constant."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.ir.values import Assumed, DictVal, ListVal, Value

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter

_CONVERSIONS: dict[str | None, Callable[[Any], Any]] = {"r": repr, "s": str, "a": ascii, None: lambda x: x}
_CONSTANTS = (str, int, float, bool, bytes, complex, type(None))


def constant(value: Value) -> Any:
    """The Python constant a value is; raises TypeError if it is none."""
    if isinstance(value, Assumed):
        return constant(value.value)
    if isinstance(value, _CONSTANTS):
        return value
    if isinstance(value, tuple):
        return tuple(map(constant, value))
    if isinstance(value, ListVal) and value.rest is None:
        return [constant(item) for item in value.items]
    if isinstance(value, DictVal) and value.rest is None:
        return {key: constant(item) for key, item in value.items.items()}
    raise TypeError("not a constant")


def formatted(m: Interpreter, node: cst.FormattedString) -> Value:
    """The value of an f-string; all its expressions are evaluated for what they do."""
    parts: list[str] = []
    known = True
    for part in node.parts:
        text = _part(m, part)
        known = known and text is not None
        parts.append(text or "")
    return "".join(parts) if known else Unknown("unknown-string")


def _part(m: Interpreter, part: Any) -> str | None:
    if part.__class__ is cst.FormattedStringText:
        return str(part.value.replace("{{", "{").replace("}}", "}"))
    value = m.eval(part.expression)
    shown = f"{m.text_of(part.expression)}=" if part.equal is not None else ""
    spec = ""
    for inner in part.format_spec or ():
        text = _part(m, inner)
        if text is None:
            return None
        spec += text
    try:
        plain = constant(value)
        conversion = "r" if shown and part.conversion is None and not spec else part.conversion
        return shown + format(_CONVERSIONS[conversion](plain), spec) if len(spec) < 20 else None
    except (TypeError, ValueError, KeyError):
        return None


def percent(_m: Interpreter, template: str, value: Value) -> Value:
    """``template % value``."""
    try:
        return template % constant(value) if len(template) < 2000 else Unknown("unknown-string")
    except (TypeError, ValueError, KeyError, OverflowError, MemoryError):
        return Unknown("unknown-string")
