"""Incremental parsing: after an edit, only the touched chunks are parsed again."""

from __future__ import annotations

import re

import libcst

from dllint.source.chunk import Chunk, Piece, Tree, cut, laid_out
from dllint.source.lines import common_ends, count_breaks, split_lines
from dllint.source.parse import SyntaxProblem, parse, syntax_problem

#: A comment or white space on a line of its own that belongs to the block before it if it is indented at least as far.
_INDENTED_LINE = re.compile(r"(?:[ \t\f]*\r?\n)*[ \t\f]+(?:#|\r?\n)")


def reparsed(chunks: list[Chunk], old: str, new: str) -> list[Chunk] | SyntaxProblem | None:
    """The chunks of the text ``new``, made from those of ``old``; what the parser has against the touched ones, with its place
    in them; ``None`` if the whole text has to be parsed."""
    first, last = _touched(chunks, old, new)
    while True:
        if last - first + 1 == len(chunks):
            return None
        text = _new_text(chunks, old, new, first, last)
        parsed = parse(text) if text else None
        if isinstance(parsed, SyntaxProblem):
            return parsed
        known = {chunk.text: chunk.tree for chunk in chunks[first : last + 1] if chunk.problem is None}
        trees = [known.pop(tree.text, None) or tree for tree in cut(text, parsed)] if parsed is not None else []
        after = chunks[last + 1 :]
        if not after or not _continues(text, parsed, after[0]):
            if text and not trees:
                return None
            return laid_out([*_pieces(chunks[:first]), *(Piece(t.text, t) for t in trees), *_pieces(after)])
        last += 1


def _continues(text: str, parsed: libcst.Module | None, following: Chunk) -> bool:
    """Whether the lines between a re-parsed text and the chunk after it may have to be shared out anew."""
    if _INDENTED_LINE.match(following.text) or text.rstrip("\r\n").endswith("\\"):
        return True
    return parsed is not None and (bool(parsed.footer) or not parsed.body)


def kept(chunks: list[Chunk], old: str, new: str, problem: SyntaxProblem) -> list[Chunk]:
    """The chunks of a text that does not parse: the touched ones become one with their last good tree."""
    first, last = _touched(chunks, old, new)
    text = _new_text(chunks, old, new, first, last)
    broken = Piece(text, _merged(chunks[first : last + 1]), problem)
    return laid_out([*_pieces(chunks[:first]), broken, *_pieces(chunks[last + 1 :])])


def problem_in_edit(chunks: list[Chunk], old: str, new: str) -> SyntaxProblem | None:
    """What the running interpreter, which is faster, has against the touched chunks of the text ``new``. It may be
    older than the grammar of the text: this is for chunks that the parser refuses, too."""
    problem = syntax_problem(new)
    if problem is None:
        return None
    first, last = _touched(chunks, old, new)
    begin = chunks[first].first_line
    end = begin + count_breaks(_new_text(chunks, old, new, first, last))
    return problem if begin < problem.line <= end else None


def _touched(chunks: list[Chunk], old: str, new: str) -> tuple[int, int]:
    """First and last number of the chunks that an edit concerns, and of those that did not parse before it."""
    old_lines = split_lines(old)
    head, tail = common_ends(old_lines, split_lines(new))
    end = len(old_lines) - tail
    numbers = [n for n, chunk in enumerate(chunks) if chunk.problem is not None]
    first = max(n for n, chunk in enumerate(chunks) if chunk.first_line <= head)
    if first and head <= chunks[first].first_line + _leading(chunks[first]):
        first -= 1  # an indented line or comment may now belong to the statement before
    numbers += [first, *(n for n, chunk in enumerate(chunks) if n > first and chunk.first_line < end)]
    return min(numbers), max(numbers)


def _leading(chunk: Chunk) -> int:
    """Number of lines in front of the chunk's first line of code."""
    if chunk.tree is None:
        return 0
    statement = chunk.statements[0]
    place = chunk.tree.place(statement)
    return len(statement.leading_lines) + (place.line if place is not None else 0)


def _new_text(chunks: list[Chunk], old: str, new: str, first: int, last: int) -> str:
    before = chunks[first].offset
    after = len(old) - (chunks[last].offset + len(chunks[last].text))
    return new[before : len(new) - after]


def _pieces(chunks: list[Chunk]) -> list[Piece]:
    return [Piece(chunk.text, chunk.tree, chunk.problem) for chunk in chunks]


def _merged(chunks: list[Chunk]) -> Tree | None:
    """One tree for the last good texts of several chunks."""
    trees = [chunk.tree for chunk in chunks if chunk.tree is not None]
    if len(trees) < 2:
        return trees[0] if trees else None
    text = "".join(tree.text for tree in trees)
    parsed = parse(text)
    return Tree.of(text, parsed) if isinstance(parsed, libcst.Module) else None
