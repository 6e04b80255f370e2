"""A document that follows the text of its file: what has been traced keeps its places while the text around it changes."""

from __future__ import annotations

from dllint.source.document import Document
from dllint.source.positions import Statement
from dllint.span import Span


class LiveDocument(Document):
    """Shows one version of a document after the other. Statements of chunks that are still there have their present
    places; what is gone has none (LookupError). ``read`` tells whether somebody has looked at the text as a whole."""

    def __init__(self, document: Document) -> None:
        self.read = False
        self.show(document)

    def show(self, document: Document) -> None:
        """Be this version from now on."""
        self._shown = document
        self.path, self.encoding = document.path, document.encoding
        self.chunks = self._parsed = document.chunks
        self.lines, self._homes = document.lines, document._homes

    @property
    def text(self) -> str:  # type: ignore[override]
        """The text shown."""
        self.read = True
        return self._shown.text

    @property
    def body(self) -> tuple[Statement, ...]:
        """The top-level statements shown, in order."""
        self.read = True
        return self._shown.body

    def source(self, span: Span) -> str:
        """The text of a span."""
        return self._shown.source(span)

    def edit(self, text: str) -> Document:
        """The version shown, with another text."""
        return self._shown.edit(text)
