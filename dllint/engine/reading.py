"""From the bytes of a file, or of what stands in for it, to the text that is analysed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from dllint.config.options import Settings
from dllint.engine.results import IO_ERROR, SYNTAX_ERROR, problem
from dllint.finding import Finding
from dllint.source.document import Document
from dllint.source.encoding import UndecodableError, decode
from dllint.source.lines import count_breaks
from dllint.source.notebook import NotebookError, NotebookFile
from dllint.source.notebook_names import SUFFIX
from dllint.source.regular import read_regular


@dataclass(frozen=True, slots=True)
class Source:
    """A readable file: the module's text, the encoding of the file, and the notebook it comes from."""

    text: str
    encoding: str
    notebook: NotebookFile | None = None

    def data(self, text: str) -> bytes:
        """The content of the file if its module were ``text``.

        Raises:
            UnicodeEncodeError: the file's encoding has no such characters.
            dllint.source.notebook.LostCellsError: the text cannot be cut into the notebook's cells.
        """
        content = text if self.notebook is None else self.notebook.with_module(text)
        return content.encode(self.encoding)


def read_source(path: Path, data: bytes) -> Source | Finding:
    """The module of a Python file or notebook, or the finding that says why there is none."""
    try:
        if path.suffix == SUFFIX:
            notebook = NotebookFile(data.decode("utf-8"))
            return Source(notebook.notebook.text, "utf-8", notebook)
        return Source(*decode(data))
    except (UndecodableError, UnicodeDecodeError) as error:
        return problem(IO_ERROR, path, 1, 1, str(error))
    except NotebookError as error:
        return problem(SYNTAX_ERROR, path, error.line, error.column, str(error))


def open_document(path: Path) -> Document | Finding:
    """The parsed module of a file, or the finding that says why there is none. Raises OSError if it cannot be read."""
    source = read_source(path, read_regular(path))
    return source if isinstance(source, Finding) else parsed(path, source)


def parsed(path: Path, source: Source) -> Document | Finding:
    """The parsed module of a file, or the finding that says where it does not parse."""
    document = Document.from_text(path, source.text, source.encoding)
    at = document.problem
    return document if at is None else problem(SYNTAX_ERROR, path, at.line, at.column, at.message)


def too_large(source: Source, size: int, settings: Settings) -> str:
    """Why a text is too large to be analysed, or nothing. Of a notebook, pictures and other results do not count."""
    size = size if source.notebook is None else len(source.text)
    if size > settings.max_file_size:
        return f"{size} bytes are more than max-file-size = {settings.max_file_size}"
    lines = count_breaks(source.text)
    if lines > settings.max_file_lines:
        return f"{lines} lines are more than max-file-lines = {settings.max_file_lines}"
    return ""
