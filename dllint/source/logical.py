"""The number of lines of a logical line, from the text alone."""

from __future__ import annotations

import re

_MARK = re.compile(r"""['"#\\]""").search
_BRACKET = re.compile(r"[()\[\]{}]").search
#: A whole string on one line, quotes included. What follows must be possible after a string, so that an f-string which
#: nests quotes of its own kind is left alone.
_STRING = re.compile(r"""(?<!["'])(?:'(?:[^'\\]|\\.)*'(?!')|"(?:[^"\\]|\\.)*"(?!"))(?![\w(\[{])""").sub

#: A quote that follows a brace left open: perhaps the start of a string inside an f-string.
_OPEN_BRACE = re.compile(r"""["'][^"'{}]*\{[^"'}]*["']""").search


class LogicalLines:
    """The logical lines of a text.

    Far cheaper than a walk of the tree, and it declines to answer where a look is not enough: triple quotes, strings that
    follow each other without a space, backslashes in odd places.
    """

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")

    def breaks(self, line: int) -> int | None:
        """Line breaks inside the logical line that starts on a 0-based line; ``None`` if that is not certain."""
        depth = 0
        for number in range(line, len(self._lines)):
            code = self._lines[number]
            if _MARK(code):
                if "{" in code and _OPEN_BRACE(code):
                    return None
                code = _STRING("", code).partition("#")[0]
            continued = code.endswith("\\")
            if "'" in code or '"' in code or code.find("\\", 0, len(code) - continued) >= 0:
                return None
            if _BRACKET(code):
                depth += code.count("(") + code.count("[") + code.count("{")
                depth -= code.count(")") + code.count("]") + code.count("}")
            if depth < 0:
                return None
            if not depth and not continued:
                return number - line
        return None
