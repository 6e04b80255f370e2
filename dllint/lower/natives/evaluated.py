"""``eval`` and ``exec`` of source text."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

import libcst as cst

from dllint.domains.lattice import Unknown
from dllint.ir.values import Arguments, InstanceVal, Value
from dllint.lower.natives.arguments import argument
from dllint.lower.natives.native import native

if TYPE_CHECKING:
    from dllint.lower.machine import Interpreter
    from dllint.lower.scopes import Frame

#: A name with attributes, which is looked up.
_PATH: Final = re.compile(r"[^\W\d]\w*(?:\.[^\W\d]\w*)*")
#: Without any of these, an expression changes nothing.
_ACTS: Final = re.compile(r"[(=;:]")


@native("builtins.eval")
def _eval(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    """The value of a dotted name (``eval("self.layer%d" % n)``); other texts are not followed."""
    text = argument(arguments, 0)
    if isinstance(text, str) and len(arguments.args) == 1 and _PATH.fullmatch(text.strip()):
        first, *attributes = text.strip().split(".")
        node = m.frame.node
        value = m.eval(cst.Name(first))
        m.frame.node = node
        for name in attributes:
            value = m.getattr(value, name)
        return value
    return _not_followed(m.frame, text)


@native("builtins.exec")
def _exec(m: Interpreter, _receiver: Value, arguments: Arguments) -> Value:
    """Not followed."""
    return _not_followed(m.frame, argument(arguments, 0))


def _not_followed(frame: Frame, text: Value) -> Value:
    """Code that is not followed may add attributes and elements to every object that the function can reach by its names."""
    if not isinstance(text, str) or _ACTS.search(text):
        held = [value for value in frame.scope.vars.values() if isinstance(value, InstanceVal)]
        parts = [part for value in held for part in value.attrs.values() if isinstance(part, InstanceVal)]
        for instance in (*held, *parts):
            instance.open = instance.open or Unknown("dynamic", "eval")
    return Unknown("dynamic")
