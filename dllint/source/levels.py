"""An upper bound of the nesting of expressions and blocks in a text, from its tokens and lines alone.

That serves where the running interpreter cannot read the text, as the text may be of a newer Python: libcst reads it all the
same, but must not be given what is deep. The numbers are too large rather than too small.
"""

from __future__ import annotations

import re
from typing import Final

_TOKEN: Final = re.compile(
    r"""
    (?P<formatted>(?<![a-zA-Z_])(?:[fF][rR]?|[rR][fF])
        (?:\'\'\'(?:[^\\]|\\.)*?\'\'\'|\"\"\"(?:[^\\]|\\.)*?\"\"\"|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"))
    |(?P<text>\'\'\'(?:[^\\]|\\.)*?\'\'\'|\"\"\"(?:[^\\]|\\.)*?\"\"\"|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*")
    |(?P<ignored>\#[^\n]*|\\\r?\n)
    |(?P<statement>^[ \t]*(?:def|class|import|while|try|with|return)\b)
    |(?P<opening>[(\[{])
    |(?P<closing>[)\]}])
    |(?P<comma>,)
    |(?P<end>[;\n])
    |(?P<kept>\b(?:lambda|for)\b)
    |(?P<link>\*\*|//|<<|>>|[<>=!]=|[-+*/%@&|^~<>=.:]|\b(?:and|or|not|in|is|if|else|await|yield)\b)
    """,
    re.VERBOSE | re.MULTILINE | re.DOTALL,
)
_QUOTES: Final = re.compile("""^[fFrR]*['"]+""")


def most_levels(text: str) -> int:
    """At least as many as there are expressions inside each other anywhere in a text, 0 or more.

    Operators, calls, subscripts and texts count for one each until a comma or the end of the statement; what stands in
    brackets, or in a formatted text, counts on top of what stands before it. The time grows as the text does.
    """
    most = 0
    levels = [_Level()]
    around = 0  # of all levels but the last
    for token in _TOKEN.finditer(text):
        kind = token.lastgroup
        level = levels[-1]
        if kind == "closing":
            if len(levels) > 1:
                levels.pop()
                around -= levels[-1].links
        elif kind == "comma":
            level.links = level.kept
        elif kind == "statement":
            levels, around = [_Level()], 0
        elif kind == "end":
            if len(levels) == 1:
                levels = [_Level()]
        elif kind != "ignored":
            level.links += 1
            level.kept += kind == "kept"
            if kind == "formatted":
                level.links += most_levels(_QUOTES.sub("", token[0], 1))
            most = max(most, around + level.links)
            if kind == "opening":
                around += level.links
                levels.append(_Level())
    return most


def most_blocks(text: str) -> int:
    """At least as many as there are blocks inside each other anywhere in a text, 1 or more: lines indented ever further."""
    most = 1
    widths = [-1]
    for line in text.split("\n"):
        width = len(line) - len(line.lstrip())
        if width == len(line):
            continue
        while widths[-1] >= width:
            widths.pop()
        widths.append(width)
        most = max(most, len(widths) - 1)
    return most


class _Level:
    """What has been counted inside one bracket: ``links`` since the last comma, ``kept`` of them beyond the next one."""

    def __init__(self) -> None:
        self.links = 0
        self.kept = 0
