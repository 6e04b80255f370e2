"""Incremental parsing: after an edit, only the touched chunks are parsed again."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator

import libcst

from dllint.source.chunk import Chunk, Piece, Tree, cut, laid_out
from dllint.source.grafted import grafted
from dllint.source.in_parts import defined, in_parts
from dllint.source.lines import common_ends, count_breaks, split_lines
from dllint.source.parse import SyntaxProblem, parse, syntax_problem
from dllint.source.restated import continued, defines, restated
from dllint.source.significant import significant

#: A comment or white space on a line of its own that belongs to the block before it if it is indented at least as far.
_INDENTED_LINE = re.compile(r"(?:[ \t\f]*\r?\n)*[ \t\f]+(?:#|\r?\n)")


def edited(chunks: list[Chunk], old: str, new: str) -> list[Chunk] | None:
    """The chunks of the text ``new``, made from those of ``old``; ``None`` if the whole text has to be parsed.

    A chunk that an edit does not concern stays as it is, also one that does not parse: the problem of the text is that of the
    first of these.
    """
    touched = _touched(chunks, old, new)
    found = _reparsed(chunks, old, new, touched)
    if found is None:
        return None
    if isinstance(found, SyntaxProblem):
        problem = _problem_in_edit(chunks, old, new, touched)
        return None if problem is None else kept(chunks, old, new, problem)
    if all(piece.problem is None for piece in found):
        return laid_out(found)
    problem = syntax_problem(new)
    return None if problem is None else laid_out(_with(problem, found))


def _reparsed(chunks: list[Chunk], old: str, new: str, touched: tuple[int, int]) -> list[Piece] | SyntaxProblem | None:
    """The pieces of the text ``new``; what the parser has against the touched chunks, with its place in them; ``None`` if the
    whole text has to be parsed."""
    first, last = touched
    inside = _edited_inside(chunks[first], _new_text(chunks, old, new, first, last)) if first == last else None
    if inside is not None:
        return [*_pieces(chunks[:first]), Piece(inside.text, inside), *_pieces(chunks[last + 1 :])]
    while True:
        if last - first + 1 == len(chunks):
            return None
        text = _new_text(chunks, old, new, first, last)
        parsed = parse(text) if text else None
        if isinstance(parsed, SyntaxProblem):
            return parsed
        trees = with_known(cut(text, parsed), chunks[first : last + 1]) if parsed is not None else []
        after = chunks[last + 1 :]
        if not after or not _continues(text, parsed, after[0]):
            if text and not trees:
                return None
            return [*_pieces(chunks[:first]), *(Piece(t.text, t) for t in trees), *_pieces(after)]
        last += 1


def _edited_inside(chunk: Chunk, text: str) -> Tree | None:
    """The tree of a chunk with another text, if only a method has changed."""
    if not _is_good(chunk) or chunk.tree is None:
        return None
    known, found = chunk.tree, grafted(chunk.tree.parsed, text)
    if found is None:
        return None
    if significant(found.before) == significant(found.now):
        return restated(known, found.tree)
    return continued(known, found.tree)


def with_known(trees: list[Tree], chunks: list[Chunk]) -> list[Tree]:
    """Trees of a text; for each, if there is one, that which some chunks have of the same text, or its statements at their
    places in the new text, as far as the code is the same."""
    known = {chunk.tree.text: chunk.tree for chunk in chunks if chunk.tree is not None}
    found = [known.pop(tree.text, None) for tree in trees]
    if all(found) or not known:
        return [old or tree for old, tree in zip(found, trees, strict=True)]
    alike = {significant(old.text): old for old in known.values()}
    shown = [old or restated(alike.pop(significant(tree.text), None), tree) for old, tree in zip(found, trees, strict=True)]
    former = _definitions(alike.values())
    new = _definitions(tree for tree, first in zip(shown, trees, strict=True) if tree is first)
    going_on = {id(tree): continued(former.get(name), tree) for name, tree in new.items()}
    return [going_on.get(id(tree), tree) for tree in shown]


def _definitions(trees: Iterable[Tree]) -> dict[tuple[type, str], Tree]:
    """The trees that are one definition whose name no other one has."""
    named = [(name, tree) for tree in trees if (name := defines(tree)) is not None]
    count = Counter(name for name, _ in named)
    return {name: tree for name, tree in named if count[name] == 1}


def _continues(text: str, parsed: libcst.Module | None, following: Chunk) -> bool:
    """Whether the lines between a re-parsed text and the chunk after it may have to be shared out anew."""
    if _INDENTED_LINE.match(following.text) or text.rstrip("\r\n").endswith("\\"):
        return True
    return parsed is not None and (bool(parsed.footer) or not parsed.body)


def kept(chunks: list[Chunk], old: str, new: str, problem: SyntaxProblem) -> list[Chunk]:
    """The chunks of a text that does not parse. Of the touched ones, those whose text is still there stay as they are; what is
    between them is parsed by itself, or has the last good tree of what was there."""
    first, last = _touched(chunks, old, new)
    last = min(last + 1, len(chunks) - 1)
    found = list(_found_again(chunks[first : last + 1], _new_text(chunks, old, new, first, last)))
    pieces: list[Piece] = []
    blamed = 0
    while found:
        text, held = found.pop(0)
        if _is_there(text, held):
            pieces += _pieces(held)
            continue
        parsed = parse(text)
        if found and isinstance(parsed, libcst.Module) and _is_there(*found[0]) and _continues(text, parsed, found[0][1][0]):
            both = parse(text + found[0][0])
            if isinstance(both, libcst.Module):
                text, held, parsed = text + found[0][0], [*held, *found.pop(0)[1]], both
        blamed = len(pieces)
        if isinstance(parsed, SyntaxProblem):
            pieces += _in_parts(text, held, problem)
        elif not parsed.body:
            pieces.append(Piece(text, _merged(held), problem))
        else:
            pieces += (Piece(tree.text, tree) for tree in with_known(cut(text, parsed), held))
    if not any(piece.problem for piece in (*pieces, *_pieces(chunks[:first]), *_pieces(chunks[last + 1 :]))):
        pieces[blamed] = pieces[blamed]._replace(problem=problem)
    return laid_out(_with(problem, [*_pieces(chunks[:first]), *pieces, *_pieces(chunks[last + 1 :])]))


def _in_parts(text: str, held: list[Chunk], problem: SyntaxProblem) -> list[Piece]:
    """The pieces of a text that does not parse and has come from some chunks. Where one change has broken one definition and
    mended another, the mended one has its new tree, the broken one the last good tree of the definition with its name."""
    pieces = list(in_parts(text, problem)) if len(held) > 1 else []
    good = [piece.tree for piece in pieces if piece.tree is not None]
    if not good:
        return [Piece(text, _merged(held), problem)]
    known = iter(with_known(good, held))
    present = {defines(tree) for tree in good}
    former = _definitions(chunk.tree for chunk in held if chunk.tree is not None)
    lost = {name: tree for (kind, name), tree in former.items() if (kind, name) not in present}
    return [
        Piece(piece.text, _last_good(piece.text, lost), problem) if piece.tree is None else Piece(piece.text, next(known))
        for piece in pieces
    ]


def _last_good(text: str, lost: dict[str, Tree]) -> Tree | None:
    """The tree of the one definition that a text which does not parse begins; ``None`` if it is not that of just one."""
    names = defined(text)
    return lost.get(min(names)) if len(names) == 1 else None


def _is_there(text: str, chunks: list[Chunk]) -> bool:
    """Whether a text is that of one chunk which parses."""
    return len(chunks) == 1 and chunks[0].text == text and _is_good(chunks[0])


def _found_again(chunks: list[Chunk], text: str) -> Iterator[tuple[str, list[Chunk]]]:
    """A text cut where some good chunks stand in it, each part with the chunks that it has come from."""
    begin, gone = 0, list[Chunk]()
    for chunk in chunks:
        place = text.find(chunk.text, begin) if _is_good(chunk) else -1
        if place < 0 or (place and text[place - 1] != "\n"):
            gone.append(chunk)
            continue
        if place > begin:
            yield text[begin:place], gone
        gone, begin = [], place + len(chunk.text)
        yield chunk.text, [chunk]
    if begin < len(text):
        yield text[begin:], gone


def _is_good(chunk: Chunk) -> bool:
    return chunk.problem is None and chunk.tree is not None


def _with(problem: SyntaxProblem, pieces: list[Piece]) -> list[Piece]:
    """Pieces of which those that do not parse have the present problem of the text."""
    return [piece if piece.problem is None else piece._replace(problem=problem) for piece in pieces]


def _problem_in_edit(chunks: list[Chunk], old: str, new: str, touched: tuple[int, int]) -> SyntaxProblem | None:
    """What the running interpreter, which is faster, has against the touched chunks of the text ``new``, or against others that
    did not parse before. It may be older than the grammar of the text: this is for chunks that the parser refuses, too."""
    problem = syntax_problem(new)
    if problem is None:
        return None
    first, last = touched
    if any(chunk.problem is not None for chunk in (*chunks[:first], *chunks[last + 1 :])):
        return problem
    begin = chunks[first].first_line
    end = begin + count_breaks(_new_text(chunks, old, new, first, last))
    return problem if begin < problem.line <= end else None


def _touched(chunks: list[Chunk], old: str, new: str) -> tuple[int, int]:
    """First and last number of the chunks that an edit concerns."""
    old_lines = split_lines(old)
    head, tail = common_ends(old_lines, split_lines(new))
    end = len(old_lines) - tail
    first = max(n for n, chunk in enumerate(chunks) if chunk.first_line <= head)
    last = max((first, *(n for n, chunk in enumerate(chunks) if chunk.first_line < end)))
    if first and (chunks[first].problem is not None or head <= chunks[first].first_line + _leading(chunks[first])):
        first -= 1  # an indented line or comment may now belong to the statement before
    return first, last


def _leading(chunk: Chunk) -> int:
    """Number of lines in front of the chunk's first line of code."""
    if chunk.tree is None or not chunk.statements:
        return 0
    statement = chunk.statements[0]
    place = chunk.tree.place(statement)
    return chunk.tree.leading(statement) + (place.line if place is not None else 0)


def _new_text(chunks: list[Chunk], old: str, new: str, first: int, last: int) -> str:
    before = chunks[first].offset
    after = len(old) - (chunks[last].offset + len(chunks[last].text))
    return new[before : len(new) - after]


def _pieces(chunks: list[Chunk]) -> list[Piece]:
    return [Piece(chunk.text, chunk.tree, chunk.problem) for chunk in chunks]


def _merged(chunks: list[Chunk]) -> Tree | None:
    """One tree for the last good texts of several chunks: without statements if there was nothing before, ``None`` if some of
    it never parsed."""
    if any(chunk.tree is None for chunk in chunks):
        return None
    trees = [chunk.tree for chunk in chunks if chunk.tree is not None and chunk.statements]
    if len(trees) == 1:
        return trees[0]
    text = "".join(tree.text for tree in trees)
    parsed = parse(text)
    return Tree.of(text, parsed) if isinstance(parsed, libcst.Module) else None
