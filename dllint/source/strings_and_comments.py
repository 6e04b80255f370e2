"""Where strings and comments stand in a text that need not parse."""

from __future__ import annotations

import re
from typing import Final

#: A string literal without its prefix, or a comment (group ``comment``). Strings are matched first, so that a ``#`` inside one
#: starts no comment.
STRING_OR_COMMENT: Final = re.compile(
    r"""'{3}(?:[^\\]|\\.)*?'{3}|"{3}(?:[^\\]|\\.)*?"{3}|'(?:[^'\\\r\n]|\\.)*'|"(?:[^"\\\r\n]|\\.)*"|(?P<comment>\#[^\r\n]*)""",
    re.DOTALL | re.VERBOSE,
)
