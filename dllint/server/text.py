"""Texts as the editor counts them: lines from 0, columns in the code units that were agreed on."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property

from lsprotocol import types as lsp

from dllint.source.lines import Lines
from dllint.span import Position


class Text:
    """One version of a text; ``encoding`` says what the editor counts in a line."""

    def __init__(self, content: str, encoding: lsp.PositionEncodingKind | str = lsp.PositionEncodingKind.Utf16) -> None:
        self.content = content
        self.encoding = lsp.PositionEncodingKind(encoding)

    @property
    def source(self) -> str:
        """The content as Python reads it, which takes no byte order mark in front for a character. A form feed, which means
        nothing there, stands in its place, so that all offsets stay."""
        return "\f" + self.content[1:] if self.content.startswith("\ufeff") else self.content

    @cached_property
    def lines(self) -> Lines:
        """Line starts of the text."""
        return Lines(self.content)

    def offset(self, position: lsp.Position) -> int:
        """The offset of an editor's position; one past the end of its line, or of the text, is moved to that end."""
        starts = self.lines.starts
        if position.line >= len(starts):
            return len(self.content)
        line = self._line(position.line)
        if line.isascii() or self.encoding is lsp.PositionEncodingKind.Utf32:
            return starts[position.line] + min(position.character, len(line))
        units = 0
        for column, character in enumerate(line):
            if units >= position.character:
                return starts[position.line] + column
            units += self._units(character)
        return starts[position.line] + len(line)

    def position(self, offset: int) -> lsp.Position:
        """The editor's position of an offset."""
        return self.from_columns(self.lines.position(offset))

    def from_columns(self, position: Position) -> lsp.Position:
        """The editor's position for a 1-based line and column that counts code points."""
        number = min(max(position.line, 1), len(self.lines.starts)) - 1
        before = self._line(number)[: position.column - 1]
        return lsp.Position(number, self._units(before))

    def range(self, start: int, end: int) -> lsp.Range:
        """The editor's range between two offsets."""
        return lsp.Range(self.position(start), self.position(end))

    def edited(self, changes: Sequence[lsp.TextDocumentContentChangeEvent]) -> Text:
        """The text after changes that the editor made one after the other."""
        text = self
        for change in changes:
            content = change.text
            if isinstance(change, lsp.TextDocumentContentChangePartial):
                start, end = text.offset(change.range.start), text.offset(change.range.end)
                content = text.content[:start] + content + text.content[max(start, end) :]
            text = Text(content, self.encoding)
        return text

    def _line(self, number: int) -> str:
        """A line without its break."""
        starts = self.lines.starts
        end = starts[number + 1] if number + 1 < len(starts) else len(self.content)
        return self.content[starts[number] : end].rstrip("\r\n")

    def _units(self, characters: str) -> int:
        if characters.isascii() or self.encoding is lsp.PositionEncodingKind.Utf32:
            return len(characters)
        if self.encoding is lsp.PositionEncodingKind.Utf8:
            return len(characters.encode("utf-8", "surrogatepass"))
        return len(characters.encode("utf-16-le", "surrogatepass")) // 2


def same_place(old: str, new: str, offset: int) -> int | None:
    """Where a place of the text ``new`` was in the text ``old``; ``None`` if it lies in what was changed."""
    limit = min(len(old), len(new))
    if old == new or (new[:offset] == old[:offset] and offset < limit and new[offset] == old[offset]):
        return offset
    from_end = len(new) - offset
    if 0 < from_end <= len(old) and new[offset:] == old[-from_end:]:
        return len(old) - from_end
    return None
