"""Chunks: the top-level statements of a document, the unit of re-parsing and of caching."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import cached_property
from hashlib import blake2b
from typing import Any, NamedTuple, TypeVar

import libcst

from dllint.source.lines import Lines, common_ends, count_breaks
from dllint.source.parse import SyntaxProblem
from dllint.source.positions import Range, Statement, measure, nested
from dllint.source.statement_lines import Place, StatementIndex, index_module

T = TypeVar("T")


class Tree:
    """A parsed piece of text: one top-level statement (after a broken edit several), free of its place in the document."""

    def __init__(
        self, text: str, statements: tuple[Statement, ...], module: libcst.Module, index: StatementIndex | None = None
    ) -> None:
        self.text = text
        self.statements = statements
        self.default_indent = module.default_indent
        self.default_newline = module.default_newline
        self.module = module
        self._index = index
        self._ranges: dict[int, dict[int, Range]] = {}
        self._answers: dict[object, Any] = {}
        self._told: dict[object, Any] = {}
        #: Which former definitions (``code``) somebody refers to, by ``id``; ``None`` as long as nobody has said so.
        self.needed: frozenset[int] | None = None

    @classmethod
    def of(cls, text: str, module: libcst.Module) -> Tree:
        """One tree of all statements of a parsed text."""
        return cls(text, tuple(module.body), module)

    def answer(self, question: Callable[[tuple[Statement, ...]], T]) -> T:
        """What a question about the statements is answered with; asked once. It must not depend on their places."""
        if question not in self._answers:
            self._answers[question] = question(self.statements)
        answer: T = self._answers[question]
        return answer

    def of_text(self, question: Callable[[str], T]) -> T:
        """What a question about the text is answered with; asked once."""
        if question not in self._told:
            self._told[question] = question(self.text)
        answer: T = self._told[question]
        return answer

    @property
    def origin(self) -> Tree:
        """The tree that the statements were first made for; another one if only comments and layout have changed since."""
        return self

    @property
    def parsed(self) -> Tree:
        """The tree with the layout of the present text; another one if this one shows statements of a former text."""
        return self

    @property
    def base(self) -> Tree:
        """The tree of which this is a continuation: with the same definition, but for the bodies of functions."""
        return self

    @property
    def code(self) -> dict[int, tuple[libcst.CSTNode, libcst.CSTNode]]:
        """By ``id`` of a definition of the trees that this one continues: it and the one that has taken its place."""
        return {}

    def leading(self, statement: libcst.CSTNode) -> int:
        """The number of lines in front of a statement or clause that belong to it."""
        return len(self.clause(statement).leading_lines)

    @property
    def index(self) -> StatementIndex:
        """Where the statements stand, found out when a place is first asked for."""
        if self._index is None:
            self._index = StatementIndex(self.module.default_indent, True, line=len(self.module.header))
            for statement in self.module.body:
                self._index.add(statement)
        return self._index

    @cached_property
    def lines(self) -> Lines:
        """Line starts of ``text``."""
        return Lines(self.text)

    @cached_property
    def digest(self) -> str:
        """A hash of the text."""
        return blake2b(self.text.encode("utf-8", "surrogatepass"), digest_size=16).hexdigest()

    def place(self, statement: libcst.CSTNode) -> Place | None:
        """Where a statement, clause or suite of this tree stands, ``None`` if it is not of this tree."""
        return self.index.places.get(id(statement))

    def at(self, line: int) -> Any:
        """The last statement or clause that begins (with its leading lines) on a 0-based line or before, the outermost of those
        that begin together; ``None`` if all begin later."""
        number = bisect_right(self._begins, line)
        return self._parts[bisect_left(self._begins, self._begins[number - 1])] if number else None

    @cached_property
    def _parts(self) -> list[Any]:
        """The statements and clauses in the order in which they begin, those around others first."""
        parts = [part for top in self.statements for part in (top, *nested(top))]
        places = self.index.places
        return sorted((part for part in parts if id(part) in places), key=lambda part: places[id(part)].line)

    @cached_property
    def _begins(self) -> list[int]:
        return [self.index.places[id(part)].line for part in self._parts]

    def clause(self, statement: libcst.CSTNode) -> Any:
        """The clause that a suite behind a colon ends; of everything else, itself."""
        return self.index.suites.get(id(statement), statement)

    def ranges(self, statement: libcst.CSTNode) -> dict[int, Range]:
        """Offsets in ``text`` of the nodes of one statement or clause (see :func:`positions.measure`); kept."""
        statement = self.clause(statement)
        known = self._ranges.get(id(statement))
        if known is None:
            place = self.index.places[id(statement)]
            start = self.lines.starts[place.line]
            known = self._ranges[id(statement)] = measure(statement, place, start, (self.default_indent, self.default_newline))
        return known

    def find(self, statement: libcst.CSTNode, node: libcst.CSTNode) -> Range | None:
        """The range of a node in or below ``statement``, ``None`` if it has none."""
        known = self.ranges(statement).get(id(node))
        if known is not None:
            return known
        ranges = (self.ranges(inner).get(id(node)) for inner in nested(self.clause(statement)))
        return next((found for found in ranges if found is not None), None)

    def extent(self, statement: Statement) -> tuple[int, int]:
        """First and last 0-based line of a whole statement, its leading lines and its body included."""
        statement = self.clause(statement)
        place = self.index.places[id(statement)]
        counter = StatementIndex(self.index.default_indent, self.index.continued)
        counter.add(statement, place.indents)
        return place.line, place.line + counter.line - 1


@dataclass(frozen=True, eq=False)
class Chunk:
    """One top-level statement with the lines in front of it (the last chunk also has the lines after it).

    ``first_line`` is 0-based. ``tree`` is ``None`` if the text never parsed; while ``problem`` is set, it is the last
    good tree and ``tree.text`` differs from ``text``. Unchanged chunks keep their ``tree`` object over edits.
    """

    text: str
    first_line: int
    offset: int
    tree: Tree | None
    problem: SyntaxProblem | None = None

    @property
    def statements(self) -> tuple[Statement, ...]:
        """The statements of the (last good) tree."""
        return self.tree.statements if self.tree is not None else ()

    @property
    def digest(self) -> str:
        """A hash of what the statements were parsed from."""
        return self.tree.digest if self.tree is not None else ""

    def of_text(self, question: Callable[[str], T]) -> T:
        """What a question about the text is answered with."""
        return question(self.text) if self.tree is None or self.problem is not None else self.tree.of_text(question)

    def locate(self, offset: int) -> int:
        """The document offset of an offset in ``tree.text``. In a chunk that does not parse, what stands before and
        after the changed part keeps its place; the changed part itself is moved to its start."""
        head, good, shift = self._changed
        if offset >= good:
            offset += shift
        elif offset > head:
            offset = head
        return self.offset + offset

    def is_as_parsed(self, start: int, end: int) -> bool:
        """Whether the text between two document offsets is what the tree was parsed from."""
        head, good, shift = self._changed
        return self.problem is None or end <= self.offset + head or start >= self.offset + good + shift

    @cached_property
    def _changed(self) -> tuple[int, int, int]:
        """Start and end of the part of ``tree.text`` that ``text`` has no more, and by how much what follows moved."""
        if self.tree is None or self.problem is None:
            return len(self.text), len(self.text), 0
        good = self.tree.text
        head, tail = common_ends(good, self.text)
        return head, len(good) - tail, len(self.text) - len(good)


class Piece(NamedTuple):
    """A chunk before its place is known."""

    text: str
    tree: Tree | None
    problem: SyntaxProblem | None = None


def laid_out(pieces: Iterable[Piece]) -> list[Chunk]:
    """Chunks in a row: first lines and offsets follow from the texts before them."""
    chunks: list[Chunk] = []
    line = offset = 0
    for text, tree, problem in pieces:
        chunks.append(Chunk(text, line, offset, tree, problem))
        line += count_breaks(text)
        offset += len(text)
    return chunks


def cut(text: str, module: libcst.Module) -> list[Tree]:
    """The trees of a parsed text, one per top-level statement; their texts join to ``text``."""
    starts = Lines(text).starts
    line = begin = 0
    trees: list[Tree] = []
    for statement, index in zip(module.body, index_module(text, module), strict=True):
        line += index.line
        last = len(trees) == len(module.body) - 1
        end = len(text) if last or line >= len(starts) else starts[line]
        trees.append(Tree(text[begin:end], (statement,), module, index))
        begin = end
    return trees
