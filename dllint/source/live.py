"""A document that follows the text of its file: what has been traced keeps its places while the text around it changes."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from typing import TypeAlias, TypeVar

from dllint.source.document import Document
from dllint.source.positions import Statement
from dllint.span import Span

T = TypeVar("T")
#: A question about a text, and what it is asked about.
Question: TypeAlias = tuple[Callable[..., object], tuple[Hashable, ...]]


class LiveDocument(Document):
    """Shows one version of a document after the other. Statements of chunks that are still there have their present
    places; what is gone has none (LookupError). ``read`` says whether somebody has looked at the text as a whole, ``asked``
    holds the answers to questions about it that have been asked since :meth:`listen`."""

    def __init__(self, document: Document) -> None:
        self.read = False
        self.asked: dict[Question, object] = {}
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

    def of_parts(self, question: Callable[[str], T]) -> list[T]:
        """As of any document."""
        self.read = True
        return self._shown.of_parts(question)

    @property
    def words(self) -> frozenset[str]:
        """The words of the text shown."""
        self.read = True
        return self._shown.words

    def listen(self) -> None:
        """Note what is asked and looked at from here on."""
        self.read, self.asked = False, {}

    def answer(self, question: Callable[..., T], *about: Hashable) -> T:
        """As of any document, noted."""
        answer = self._shown.answer(question, *about)
        self.asked[question, about] = answer
        return answer

    def answers_same(self, asked: Mapping[Question, object]) -> bool:
        """Whether the text shown answers some questions as another one has answered them; not noted."""
        return all(self._shown.answer(question, *about) == answer for (question, about), answer in asked.items())

    def source(self, span: Span) -> str:
        """The text of a span."""
        return self._shown.source(span)

    def edit(self, text: str) -> Document:
        """The version shown, with another text."""
        return self._shown.edit(text)
