"""f-strings, ``%`` and ``format`` over abstract values: a string if every part is a constant."""

from __future__ import annotations

from collections.abc import Callable
from itertools import takewhile
from typing import TYPE_CHECKING, Any

import libcst as cst

from dllint.domains.lattice import Unknown, UnknownText
from dllint.ir.values import Assumed, DictVal, ListVal, Value
from dllint.lower import bulk

if TYPE_CHECKING:
    from dllint.lower.parts import Evaluates

_CONVERSIONS: dict[str | None, Callable[[Any], Any]] = {"r": repr, "s": str, "a": ascii, None: lambda x: x}
_CONSTANTS = (str, int, float, bool, bytes, complex, type(None))


def constant(value: Value) -> Any:
    """The Python constant a value is; raises TypeError if it is none, or too large."""
    if bulk.is_bulky(value):
        raise TypeError("too large a constant")
    return _constant(value)


def _constant(value: Value) -> Any:
    if isinstance(value, Assumed):
        return _constant(value.value)
    if isinstance(value, _CONSTANTS):
        return value
    if isinstance(value, tuple):
        return tuple(map(_constant, value))
    if isinstance(value, ListVal) and value.rest is None:
        return [_constant(item) for item in value.items]
    if isinstance(value, DictVal) and value.rest is None:
        return {key: _constant(item) for key, item in value.items.items()}
    raise TypeError("not a constant")


def formatted(m: Evaluates, node: cst.FormattedString) -> Value:
    """The value of an f-string; all its expressions are evaluated, for their effects."""
    parts = [_part(m, part) for part in node.parts]
    known = [part for part in takewhile(lambda part: part is not None, parts) if part is not None]
    if len(known) == len(parts):
        return bulk.limited("".join(known))
    return UnknownText("unknown-string", beginning=known[0] if known else "")


def _part(m: Evaluates, part: cst.BaseFormattedStringContent) -> str | None:
    if isinstance(part, cst.FormattedStringText):
        return str(part.value.replace("{{", "{").replace("}}", "}"))
    if not isinstance(part, cst.FormattedStringExpression):
        return None
    value = m.eval(part.expression)
    shown = f"{m.known.text_of(part.expression)}=" if part.equal is not None else ""
    spec = ""
    for inner in part.format_spec or ():
        text = _part(m, inner)
        if text is None:
            return None
        spec += text
    try:
        plain = constant(value)
        conversion = "r" if shown and part.conversion is None and not spec else part.conversion
        if len(spec) >= 20 or bulk.is_wide(spec) or bulk.is_long("format", "", plain):
            return None
        return shown + format(_CONVERSIONS[conversion](plain), spec)
    except (TypeError, ValueError, KeyError):
        return None


def joined(name: str, text: str, value: Value) -> Value:
    """What an operator makes of a text and a value that is none, or of which nothing is known."""
    if name == "mod":
        return percent(text, value)
    if name == "add":
        return UnknownText("unknown-string", beginning=text)
    return Unknown("unknown-length") if name == "mul" else Unknown("unknown-operand", name)


def percent(template: str, value: Value) -> Value:
    """``template % value``."""
    try:
        given = constant(value)
        values = given if isinstance(given, tuple) else (given,)
        if bulk.is_wide(template, *values) or bulk.is_long("format", template, *values):
            return Unknown("unknown-string")
        text: str = template % given
        return text
    except (TypeError, ValueError, KeyError, OverflowError):
        return UnknownText("unknown-string", beginning=template.partition("%")[0])
