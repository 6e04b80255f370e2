"""``re`` on constant strings, for patterns that cannot take long."""

from __future__ import annotations

import re
from typing import Any, Final

from dllint.domains.lattice import Unknown
from dllint.frameworks.machine import handler
from dllint.ir.values import Arguments, ListVal, Value
from dllint.lower.natives.arguments import argument

#: A repeated group can make matching exponential; without one it is polynomial in the text's length.
_REPEATED_GROUP: Final = re.compile(r"\)[*+{]")
_LONGEST: Final = 200


def _compiled(pattern: Value, text: Value) -> re.Pattern[str] | None:
    if not isinstance(pattern, str) or not isinstance(text, str) or len(text) > _LONGEST or _REPEATED_GROUP.search(pattern):
        return None
    try:
        return re.compile(pattern)
    except re.error:
        return None


@handler("re.split")
def _split(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    pattern, text = argument(arguments, 0, "pattern"), argument(arguments, 1, "string")
    found = _compiled(pattern, text)
    return ListVal(list(found.split(text))) if found is not None else Unknown("unknown-string", "re.split")


@handler("re.sub")
def _sub(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    pattern, new, text = (argument(arguments, i, name) for i, name in enumerate(("pattern", "repl", "string")))
    found = _compiled(pattern, text)
    return found.sub(new, text) if found is not None and isinstance(new, str) else Unknown("unknown-string", "re.sub")


@handler("re.findall")
def _find_all(m: Any, _receiver: Value, arguments: Arguments) -> Value:
    pattern, text = argument(arguments, 0, "pattern"), argument(arguments, 1, "string")
    found = _compiled(pattern, text)
    return ListVal(list(found.findall(text))) if found is not None else Unknown("unknown-string", "re.findall")
