"""Texts that do not parse, in the parts that do: what an editor shows of a file that is opened while it is broken.

A part begins where a line begins with code, outside of strings of several lines. What does not parse by itself, nor together
with a few parts that follow, is a chunk without a tree. Behind a string that is not closed nothing can be told.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

import libcst

from dllint.source.chunk import Piece, cut
from dllint.source.parse import SyntaxProblem, parse, syntax_problem
from dllint.source.strings_and_comments import STRING_OR_COMMENT

#: Lines at which no statement begins: inside something, or a further clause.
_BEGIN: Final = re.compile(r"^(?![\s#)\]}]|(?:else|elif|except|finally)\b)", re.MULTILINE)
_DECORATOR: Final = re.compile(r"@")
_TRIPLE: Final = re.compile(r"\"{3}|'{3}")
#: So many candidates are taken together, at most, to find the end of a bracket.
_MOST_TOGETHER: Final = 8
_DEFINES: Final = re.compile(r"(?:async\s+def|def|class)\b|@")
_DEFINED: Final = re.compile(r"^(?:async[ \t]+def|def|class)[ \t]+(\w+)", re.MULTILINE)
_WORD: Final = re.compile(r"[^\W\d]\w*")


def in_parts(text: str, problem: SyntaxProblem) -> Iterator[Piece]:
    """The pieces of a text that has a problem; they join to it. Those that do not parse have no tree."""
    begins = _begins(text)
    number = 0
    while number + 1 < len(begins):
        count = _parsed_together(text, begins, number)
        end = begins[number + max(count, 1)]
        part = text[begins[number] : end]
        parsed = parse(part) if count else problem
        if isinstance(parsed, libcst.Module) and parsed.body:
            yield from (Piece(tree.text, tree) for tree in cut(part, parsed))
        elif len(_TRIPLE.findall(part)) % 2:
            yield Piece(text[begins[number] :], None, problem)
            return
        else:
            yield Piece(part, None, problem)
        number += max(count, 1)


def _begins(text: str) -> list[int]:
    """Where statements of the top level may begin, and the end. Decorators belong to what follows."""
    strings = [match.span() for match in STRING_OR_COMMENT.finditer(text) if match["comment"] is None]
    starts = [start for start, _ in strings]

    def is_inside(place: int) -> bool:
        number = bisect_left(starts, place)
        return number > 0 and place < strings[number - 1][1]

    found = [place for match in _BEGIN.finditer(text) if (place := match.start()) < len(text) and not is_inside(place)]
    kept = [place for before, place in pairwise([None, *found]) if before is None or not _DECORATOR.match(text, before)]
    return [0, *(place for place in kept if place), len(text)]


def _parsed_together(text: str, begins: list[int], number: int) -> int:
    """How many candidates from one on are code, taken together; 0 if none are."""
    last = min(len(begins) - 1, number + _MOST_TOGETHER)
    for end in range(number + 1, last + 1):
        problem = syntax_problem(text[begins[number] : begins[end]])
        if problem is None:
            return end - number
        if "never closed" not in problem.message:
            return 0
    return 0


def defined(text: str) -> frozenset[str]:
    """The names of the functions and classes that the top level of a text defines, as far as its lines show."""
    return frozenset(_DEFINED.findall(text))


def only_defines(text: str) -> bool:
    """Whether nothing stands on the top level of a text but definitions, as far as its lines show."""
    return all(_DEFINES.match(text, match.start()) for match in _BEGIN.finditer(text) if match.start() < len(text))


def rebound(text: str) -> frozenset[str]:
    """The names that may mean something else behind a text that does not parse: those that it defines, and all others that it
    holds if it is more than definitions."""
    return defined(text) if only_defines(text) else frozenset(_WORD.findall(text))
