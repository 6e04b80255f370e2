"""From a file to its parsed module."""

from __future__ import annotations

from pathlib import Path

from dllint.engine.reading import Source, read_source
from dllint.engine.results import SYNTAX_ERROR, problem
from dllint.finding import Finding
from dllint.source.document import Document
from dllint.source.regular import read_regular


def open_document(path: Path) -> Document | Finding:
    """The parsed module of a file, or the finding that says why there is none. Raises OSError if it cannot be read."""
    source = read_source(path, read_regular(path))
    return source if isinstance(source, Finding) else parsed(path, source)


def parsed(path: Path, source: Source) -> Document | Finding:
    """The parsed module of a file, or the finding that says where it does not parse."""
    document = Document.from_text(path, source.text, source.encoding)
    at = document.problem
    return document if at is None else problem(SYNTAX_ERROR, path, at.line, at.column, at.message)
