"""From the bytes of a file, or of what stands in for it, to the text that is analysed."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final

from dllint.config.options import Settings
from dllint.engine.results import IO_ERROR, SYNTAX_ERROR, FileResult, problem
from dllint.finding import Finding
from dllint.source.encoding import UndecodableError, decode
from dllint.source.lines import count_breaks
from dllint.source.notebook_names import SUFFIX
from dllint.source.regular import read_regular

if TYPE_CHECKING:
    from dllint.source.notebook import NotebookFile

#: The most bytes of a notebook, its pictures included.
LARGEST_NOTEBOOK: Final = 128 * 2**20


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
        return _read_notebook(path, data) if path.suffix == SUFFIX else Source(*decode(data))
    except (UndecodableError, UnicodeDecodeError) as error:
        return problem(IO_ERROR, path, 1, 1, str(error))


def _read_notebook(path: Path, data: bytes) -> Source | Finding:
    from dllint.source.notebook import NotebookError, NotebookFile  # most runs see none

    try:
        notebook = NotebookFile(data.decode("utf-8"))
        return Source(notebook.notebook.text, "utf-8", notebook)
    except NotebookError as error:
        return problem(SYNTAX_ERROR, path, error.line, error.column, str(error))


def with_texts(result: FileResult) -> FileResult:
    """A result with the texts of its file, which are read now if it comes from the cache."""
    if result.unread:
        result.unread = False
        try:
            source = read_source(result.path, read_regular(result.path, LARGEST_NOTEBOOK))
        except OSError:
            return result
        if isinstance(source, Source):
            result.before = result.after = source.text
            result.encoding = source.encoding
            result.cells = {} if source.notebook is None else source.notebook.notebook.texts
    return result


def too_large(source: Source, size: int, settings: Settings) -> str:
    """Why a text is too large to be analysed, or nothing. Of a notebook, pictures and other results do not count."""
    size = size if source.notebook is None else len(source.text)
    if size > settings.max_file_size:
        return f"{size} bytes are more than max-file-size = {settings.max_file_size}"
    lines = count_breaks(source.text)
    if lines > settings.max_file_lines:
        return f"{lines} lines are more than max-file-lines = {settings.max_file_lines}"
    return ""
