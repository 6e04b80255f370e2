"""``re`` on constant strings, for patterns that cannot take long."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final

from dllint.domains.lattice import Unknown
from dllint.ir.values import Arguments, ListVal, Value
from dllint.lower.natives.arguments import argument
from dllint.lower.natives.native import native

if TYPE_CHECKING:
    from dllint.frameworks.machine import Machine


#: A repeated group can make matching exponential; without one it is polynomial in the text's length.
_REPEATED_GROUP: Final = re.compile(r"\)[*+{]")
_LONGEST: Final = 200


def _compiled(arguments: Arguments, *names: str) -> tuple[re.Pattern[str], list[str]] | None:
    """The pattern and the texts of a call that gives these and nothing else, if they are known."""
    if len(arguments.args) + len(arguments.kwargs) != len(names):
        return None
    values = [argument(arguments, place, name) for place, name in enumerate(names)]
    texts = [value for value in values if isinstance(value, str) and len(value) <= _LONGEST]
    if len(texts) != len(values) or _REPEATED_GROUP.search(texts[0]):
        return None
    try:
        return re.compile(texts[0]), texts[1:]
    except re.error:
        return None


@native("re.split")
def _split(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    found = _compiled(arguments, "pattern", "string")
    if found is None:
        return Unknown("unknown-string", "re.split")
    pattern, (text,) = found
    return ListVal(list(pattern.split(text)))


@native("re.sub")
def _sub(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    found = _compiled(arguments, "pattern", "repl", "string")
    if found is None:
        return Unknown("unknown-string", "re.sub")
    pattern, (new, text) = found
    try:
        return pattern.sub(new, text)
    except (re.error, IndexError):  # a group that the pattern lacks
        return Unknown("unknown-string", "re.sub")


@native("re.findall")
def _find_all(_m: Machine, _receiver: Value, arguments: Arguments) -> Value:
    found = _compiled(arguments, "pattern", "string")
    if found is None:
        return Unknown("unknown-string", "re.findall")
    pattern, (text,) = found
    return ListVal(list(pattern.findall(text)))
