"""What a piece of code means: the text without the comments and empty lines that nobody reads.

What is left is the code with its layout: an edit that leaves it as it was moves lines, and no column. Comments count that
say something about the code to us: ours, those of types, and whatever may be a shape or a range. Inside of brackets every
comment and line counts, as expressions are quoted with them.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

#: Strings are matched first, so that a ``#`` inside one starts no comment. A line that a backslash continues stays as it is.
_PART: Final = re.compile(
    r"""'{3}(?:[^\\]|\\.)*?'{3}|"{3}(?:[^\\]|\\.)*?"{3}|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|(?P<comment>[ \t\f]*\#[^\n]*)"""
    r"""|\\\n|(?P<open>[(\[{])|(?P<close>[)\]}])|(?P<line>\n(?:[ \t\f]*\n)*)|(?P<space>[ \t\f]+(?=\n|\Z))""",
    re.DOTALL | re.VERBOSE,
)
_SAYS: Final = re.compile(r"(?i:dllint|type\s*:)|[(\[`]|\w\s+[xX×]\s|[A-Z]x[A-Z]")
#: Strings in which the pattern above may take code for text, or text for code.
_NESTING: Final = re.compile(r"\b[A-Za-z]?[fFtT][A-Za-z]?[\"']")

#: What indented statements stand in while they are parsed.
_AROUND: Final = "if _:\n"


@lru_cache(maxsize=64)
def significant(text: str) -> tuple[str, str]:
    """The code of a text in a form that can be compared. Texts of the same form differ in comments and empty lines only."""
    if "\r" in text:
        return text, ""
    return "".join(_parts(text)).strip("\n"), _tree(text) if _NESTING.search(text) else ""


def _parts(text: str) -> Iterator[str]:
    begin = depth = 0
    is_empty = True  # the line so far
    for match in _PART.finditer(text):
        if match.start() > begin:
            yield text[begin : match.start()]
            is_empty = False
        begin = match.end()
        kind = match.lastgroup
        depth += (kind == "open") - (kind == "close")
        if kind is None or kind in ("open", "close") or depth > 0:
            yield match[0]
            is_empty = False
        elif kind == "line":
            yield "" if is_empty else "\n"
            is_empty = True
        elif kind == "comment" and _SAYS.search(match[0]):
            yield match[0].rstrip() if is_empty else f" {match[0].strip()}"
            is_empty = False
    yield text[begin:]


def _tree(text: str) -> str:
    """The tree of a text without places; the text, if the running interpreter does not read it. The text may be indented."""
    for before in ("", _AROUND):
        try:
            return ast.dump(ast.parse(before + text))
        except IndentationError:
            continue
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return text
    return text
