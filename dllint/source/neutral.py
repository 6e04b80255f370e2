"""Neutralisation of text from a checkout for a terminal or a log.

Names, messages and source lines may hold what steers a terminal (escape sequences), what turns the order of letters around,
line breaks that begin a line of their own, or commands of the machinery that reads logs. Every such character has another one
in its place, so that columns stay what they are.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

_UNKNOWN: Final = 0xFFFD
_PICTURES: Final = {**{code: 0x2400 + code for code in range(32) if code != 9}, 0x7F: 0x2421}
#: The second set of control characters, marks and overrides of direction, separators of lines, the mark of byte order, and
#: halves of characters, which no output can encode.
_OTHERS: Final = (
    *range(0x80, 0xA0), 0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A), 0xFEFF, *range(0xD800, 0xE000),
)  # fmt: skip
_TABLE: Final = {**_PICTURES, **dict.fromkeys(_OTHERS, _UNKNOWN)}
_IN_SOURCE: Final = {code: shown for code, shown in _TABLE.items() if code not in (10, 13)}
#: `##[group]`, `##vso[…]`, `##teamcity[…]`: commands wherever they stand.
_COMMAND: Final = re.compile(r"#(?=#\w*\[)")
_SHARP: Final = "♯"
#: A command if a line begins with it.
_COLONS: Final = "::"


def neutral(text: str) -> str:
    """A name or a message: one line that says nothing but what it shows; the text itself, if it is one."""
    if text.isascii() and text.isprintable() and "#" not in text:
        return text
    return _COMMAND.sub(_SHARP, text.translate(_TABLE))


def neutral_source(text: str) -> str:
    """A text with its line breaks; each character is at its place."""
    return _COMMAND.sub(_SHARP, text.translate(_IN_SOURCE))


def neutral_lines(text: str) -> str:
    """Lines for people, none of which is a command."""
    return "\n".join(f"| {line}" if line.lstrip().startswith(_COLONS) else line for line in map(neutral, text.split("\n")))


def neutral_path(path: Path | str) -> str:
    """A path, which may be the beginning of a line."""
    text = neutral(str(path))
    return f"./{text}" if text.lstrip().startswith(_COLONS) else text
