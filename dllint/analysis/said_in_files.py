"""What the texts of files say whose code a program executes."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dllint.ir.program import Site
from dllint.source.document import Document


def executed(sites: Iterable[Site]) -> Iterator[Document]:
    """The documents in which places stand, and the calls that lead to them."""
    return (frame.document for site in sites for frame in site.stack() if frame.document is not None)


def any_says(documents: Iterable[Document | None], pattern: re.Pattern[str]) -> bool:
    """Whether a pattern is found in the text of a document; each text is searched once, until it changes."""
    distinct = {id(document): document for document in documents if document is not None}
    return any(document.answer(_says, pattern) for document in distinct.values())


def _says(text: str, pattern: re.Pattern[str]) -> bool:
    return pattern.search(text) is not None
