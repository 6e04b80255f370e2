"""Call stacks that exporters write into graphs, as Python prints them."""

from __future__ import annotations

import re
from typing import Final

from dllint.lower.graphs.model import Frame

_FRAME: Final = re.compile(r'^[ \t]*File "([^"\n]{1,4096})", line (\d{1,9})(?:, in ([^\n]{1,400}))?$', re.MULTILINE)
#: Longer texts are cut.
_LONGEST: Final = 100_000


def frames(text: str) -> tuple[Frame, ...]:
    """The frames of a printed stack, innermost last."""
    text = text[-_LONGEST:]
    found = []
    matches = list(_FRAME.finditer(text))
    for match, following in zip(matches, [*matches[1:], None], strict=False):
        quoted = text[match.end() : following.start() if following is not None else len(text)].strip("\n").split("\n")[0]
        found.append(Frame(match[1], int(match[2]), match[3] or "", quoted.strip()))
    return tuple(found)
