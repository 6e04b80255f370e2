"""Documents whose top-level statements are parsed when they are asked for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

import libcst

from dllint.source.chunk import Chunk, Piece, Tree, laid_out
from dllint.source.document import Document
from dllint.source.lines import Lines
from dllint.source.outline import Entry, outline
from dllint.source.parse import parse
from dllint.source.positions import Statement
from dllint.source.pragmas import MARK
from dllint.source.rebinding import in_order


class LazyDocument(Document):
    """A document whose chunks have no tree until :meth:`statements` asks for it; otherwise like any other.

    The running interpreter has read its text. If libcst does not read a chunk, ``problem`` says so from then on.
    """

    def __init__(
        self, path: Path, text: str, entries: Sequence[Entry], encoding: str = "utf-8", chunks: list[Chunk] | None = None
    ) -> None:
        if chunks is None:
            chunks = laid_out(Piece(part, None) for part in _cut(text, entries))
        super().__init__(path, text, chunks, encoding)
        self.entries = entries

    @classmethod
    def from_text(cls, path: Path, text: str, encoding: str = "utf-8") -> Document:
        """Outline a text; never raises. One that the running interpreter does not parse is left to libcst as a whole."""
        entries = outline(text)
        return cls(path, text, entries, encoding) if entries else Document.from_text(path, text, encoding)

    def twin(self) -> LazyDocument:
        """Another document of the same text: what is parsed for the one is parsed for both."""
        return LazyDocument(self.path, self.text, self.entries, self.encoding, self.chunks)

    def statements(self, number: int) -> tuple[Statement, ...]:
        """The statements of a chunk, parsed now if they were not before."""
        chunk = self.chunks[number]
        if chunk.tree is None and chunk.problem is None:
            chunk = self.chunks[number] = _with_tree(chunk)
        return chunk.statements

    @property
    def body(self) -> tuple[Statement, ...]:
        """All top-level statements, parsed."""
        return tuple(statement for number in range(len(self.chunks)) for statement in self.statements(number))

    def edit(self, text: str) -> Document:
        """The document with another text: chunks whose text stays keep their trees, the others are parsed."""
        edited = LazyDocument.from_text(self.path, text, self.encoding)
        if isinstance(edited, LazyDocument):
            trees = {chunk.text: chunk for chunk in self.chunks}
            for number, chunk in enumerate(edited.chunks):
                known = trees.get(chunk.text)
                edited.chunks[number] = replace(chunk, tree=known.tree) if known is not None else _with_tree(chunk)
        return edited


def _with_tree(chunk: Chunk) -> Chunk:
    """A chunk with its tree, or with what libcst has against it."""
    parsed = parse(chunk.text)
    if isinstance(parsed, libcst.Module):
        return replace(chunk, tree=Tree.of(chunk.text, _with_own_comments(parsed)))
    return replace(chunk, problem=replace(parsed, line=parsed.line + chunk.first_line))


def _with_own_comments(module: libcst.Module) -> libcst.Module:
    """The module of one chunk, with comments of ours above its statement where they are in a whole file: at the statement."""
    if not module.body or not any(line.comment is not None and MARK in line.comment.value for line in module.header):
        return module
    first, *rest = module.body
    moved = first.with_changes(leading_lines=[*module.header, *first.leading_lines])
    return module.with_changes(header=[], body=[moved, *rest])


def statements_of(document: Document, number: int) -> tuple[Statement, ...]:
    """The statements of a document's chunk."""
    return document.statements(number) if isinstance(document, LazyDocument) else document.chunks[number].statements


def bindings(document: Document) -> list[tuple[str, ...]]:
    """The names that each chunk of a document binds; a document that does not parse binds nothing."""
    return [tuple(name for entry in entries for name in entry.names) for entries in _entries(document)]


def together(document: Document) -> dict[int, tuple[int, ...]]:
    """The chunks of a document whose order counts, by number, each with all that are executed with it."""
    chunks = _entries(document)
    if not any(entry.reads for entries in chunks for entry in entries):
        return {}
    return in_order(bindings(document), [[name for entry in entries for name in entry.reads] for entries in chunks])


def _entries(document: Document) -> list[list[Entry]]:
    """The entries of the outline that each chunk of a document holds."""
    entries = document.entries if isinstance(document, LazyDocument) else outline(document.text)
    chunks: list[Chunk] = document.chunks
    found: list[list[Entry]] = [[] for _ in chunks]
    number = 0
    for entry in entries or ():
        while number + 1 < len(chunks) and chunks[number + 1].first_line < entry.end:
            number += 1
        found[number].append(entry)
    return found


def _cut(text: str, entries: Sequence[Entry]) -> Iterable[str]:
    starts = Lines(text).starts
    begin = 0
    for number, entry in enumerate(entries):
        end = len(text) if number + 1 == len(entries) or entry.end >= len(starts) else starts[entry.end]
        yield text[begin:end]
        begin = end
