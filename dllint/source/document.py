"""Documents: decoded text, its tree in chunks, and exact places."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Hashable
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, Final, TypeVar

import libcst

from dllint.source.chunk import Chunk, Piece, cut, laid_out
from dllint.source.encoding import decode
from dllint.source.in_parts import in_parts
from dllint.source.lines import Lines
from dllint.source.parse import SyntaxProblem, parse
from dllint.source.positions import Statement
from dllint.source.regular import read_regular
from dllint.source.reparse import edited, kept, with_known
from dllint.source.words import words
from dllint.span import Location, Position, Span

#: The most bytes of a file that is read because another one imports it.
LARGEST_IMPORT: Final = 8 * 2**20


T = TypeVar("T")


class Homes:
    """The chunks of the statements of a document. Each chunk is looked through once, however many statements are asked for."""

    def __init__(self) -> None:
        #: By ``id`` of a statement, clause or suite; the trees keep these alive.
        self._known: dict[int, Chunk] = {}
        #: The numbers of the chunks that are not looked through yet; ``None``: of all.
        self._left: list[int] | None = None

    def add(self, statement: libcst.CSTNode, chunk: Chunk) -> None:
        """Note the chunk of a statement."""
        self._known[id(statement)] = chunk

    def find(self, statement: libcst.CSTNode, chunks: list[Chunk]) -> Chunk | None:
        """The chunk of a statement; ``None`` if it is of none of them. A chunk that is parsed later is another object then."""
        known = self._known.get(id(statement))
        if known is not None or self._left == []:
            return known
        waiting = list(range(len(chunks))) if self._left is None else self._left
        left: list[int] = []
        for done, number in enumerate(waiting):
            chunk = chunks[number]
            if chunk.tree is None:  # not parsed yet
                left.append(number)
                continue
            self._known.update(dict.fromkeys(chunk.tree.index.places, chunk))
            if id(statement) in self._known:
                left += waiting[done + 1 :]
                break
        self._left = left  # only now: an exception on the way must not make chunks pass for looked through
        return self._known.get(id(statement))


class Document:
    """A Python source text and its tree. Immutable: :meth:`edit` gives a new document that shares what did not change.

    Make one with :meth:`open` or :meth:`from_text`. ``problem`` is set if the text does not parse as a whole; ``chunks``
    then still hold what could be kept from before.
    """

    #: Whether it is a text that somebody writes, so that edits of it can repair anything.
    editable: ClassVar[bool] = True

    def __init__(self, path: Path, text: str, parsed: libcst.Module | list[Chunk], encoding: str = "utf-8") -> None:
        self.path = path
        self.text = text
        self.encoding = encoding
        self._parsed = parsed
        self._homes = Homes()
        self._answers: dict[object, Any] = {}

    @classmethod
    def open(cls, path: Path) -> Document:
        """Read and parse a file. Raises OSError, or :class:`dllint.source.encoding.UndecodableError`."""
        text, encoding = decode(read_regular(path, LARGEST_IMPORT))
        return cls.from_text(path, text, encoding)

    @classmethod
    def from_text(cls, path: Path, text: str, encoding: str = "utf-8") -> Document:
        """Parse a text; never raises."""
        parsed = parse(text)
        if isinstance(parsed, SyntaxProblem):
            return cls(path, text, [Chunk(text, 0, 0, None, parsed)], encoding)
        return cls(path, text, parsed, encoding)

    @classmethod
    def in_parts(cls, path: Path, text: str) -> Document:
        """A text that somebody is writing. Where it does not parse as a whole, its parts are parsed that do; never raises."""
        whole = cls.from_text(path, text)
        if whole.problem is None:
            return whole
        pieces = list(in_parts(text, whole.problem))
        if all(piece.tree is None for piece in pieces):
            return whole
        return cls(path, text, laid_out(pieces))

    def answer(self, question: Callable[..., T], *about: Hashable) -> T:
        """What a question about the text as a whole is answered with, ``question(text, *about)``; asked once. While the text
        does not parse, the question is about what its trees were parsed from."""
        key = (question, *about)
        if key not in self._answers:
            self._answers[key] = question(self._readable, *about)
        answer: T = self._answers[key]
        return answer

    def of_parts(self, question: Callable[[str], T]) -> list[T]:
        """What a question about a text is answered with for each part of this one. After an edit, only touched parts are asked
        again."""
        if isinstance(self._parsed, list) or "chunks" in self.__dict__:
            return [chunk.of_text(question) for chunk in self.chunks]
        return [question(self.text)]

    @cached_property
    def words(self) -> frozenset[str]:
        """The words of the text."""
        return frozenset().union(*self.of_parts(words))

    @property
    def problem(self) -> SyntaxProblem | None:
        """Why the text does not parse as a whole, if it does not."""
        return next((c.problem for c in self._parsed if c.problem), None) if isinstance(self._parsed, list) else None

    @property
    def _readable(self) -> str:
        """The text, as far as it has been parsed."""
        if self.problem is None:
            return self.text
        return "".join(chunk.tree.text for chunk in self.chunks if chunk.tree is not None)

    @property
    def body(self) -> tuple[Statement, ...]:
        """The top-level statements, in order (of a chunk that does not parse: those of its last good tree)."""
        if isinstance(self._parsed, libcst.Module):
            return tuple(self._parsed.body)
        return tuple(statement for chunk in self._parsed for statement in chunk.statements)

    @cached_property
    def chunks(self) -> list[Chunk]:
        """The top-level chunks; their texts join to ``text``."""
        if not isinstance(self._parsed, libcst.Module):
            return self._parsed
        trees = cut(self.text, self._parsed)
        return laid_out([Piece(tree.text, tree) for tree in trees] or [Piece(self.text, None)])

    @cached_property
    def lines(self) -> Lines:
        """Line starts of the text."""
        return Lines(self.text)

    def chunk_at(self, line: int) -> Chunk | None:
        """The chunk that a 1-based line stands in."""
        number = bisect_left(self._first_lines, line)
        return self.chunks[number - 1] if number else None

    @cached_property
    def _first_lines(self) -> list[int]:
        return [chunk.first_line for chunk in self.chunks]

    def chunk_of(self, statement: libcst.CSTNode) -> Chunk:
        """The chunk a statement (at any depth), clause or suite belongs to. Raises LookupError if it is of another document."""
        home = self._homes.find(statement, self.chunks)
        if home is not None:
            return home
        raise LookupError(f"the {type(statement).__name__} is not a statement of {self.path.name}")

    def span(self, statement: Any, node: Any = None) -> Span:
        """The exact span of a node.

        ``statement`` is the innermost statement that contains ``node`` (an enclosing one works, too, but is slower). A
        compound statement or clause itself (``node`` is it, or is left out) has the span of its header, colon included.
        A node without text of its own has the span of the statement. Raises LookupError as :meth:`chunk_of`.
        """
        chunk = self.chunk_of(statement)
        assert chunk.tree is not None
        found = chunk.tree.find(statement, statement if node is None else node) or chunk.tree.find(statement, statement)
        if found is None:  # too deep to be measured: the statement's lines
            starts = chunk.tree.lines.starts
            first, last = chunk.tree.extent(statement)
            found = starts[first], starts[last]
        return self.lines.span(chunk.locate(found[0]), chunk.locate(found[1]))

    def extent(self, statement: Any) -> Span:
        """The whole lines of a statement with its body, without its leading lines, up to the start of the next line."""
        chunk = self.chunk_of(statement)
        assert chunk.tree is not None
        tree = chunk.tree
        first, last = tree.extent(statement)
        starts = [*tree.lines.starts, len(tree.text)]
        begin = starts[min(first + tree.leading(statement), last)]
        return self.lines.span(chunk.locate(begin), chunk.locate(starts[min(last + 1, len(starts) - 1)]))

    def indentation(self, statement: libcst.CSTNode) -> str:
        """The white space in front of a statement's lines."""
        chunk = self.chunk_of(statement)
        assert chunk.tree is not None
        place = chunk.tree.place(statement)
        return "".join(place.indents) if place is not None else ""

    def location(self, statement: libcst.CSTNode, node: libcst.CSTNode | None = None) -> Location:
        """The span of a node (see :meth:`span`) with the file's path."""
        return Location(self.path, self.span(statement, node))

    def source(self, span: Span) -> str:
        """The text of a span."""
        return self.text[span.start : span.end]

    def position(self, offset: int) -> Position:
        """The 1-based line and column of an offset."""
        return self.lines.position(offset)

    def offset(self, position: Position) -> int:
        """The offset of a 1-based position."""
        return self.lines.offset(position)

    def edit(self, text: str) -> Document:
        """The document with another text: only the touched chunks are parsed, the others keep their trees."""
        if text == self.text:
            return self
        chunks = edited(self.chunks, self.text, text)
        if chunks is None:
            whole = Document.from_text(self.path, text, self.encoding)
            if whole.problem is None:
                trees = with_known([chunk.tree for chunk in whole.chunks if chunk.tree is not None], self.chunks)
                return Document(
                    self.path, text, laid_out(Piece(tree.text, tree) for tree in trees) or whole.chunks, self.encoding
                )
            chunks = kept(self.chunks, self.text, text, whole.problem)
        return Document(self.path, text, chunks, self.encoding)
