"""Open notebooks as the editor tells of them: cells of all kinds and languages, in order, and the texts in them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from lsprotocol import types as lsp

from dllint.server.parts import Part, Parts
from dllint.server.text import Text
from dllint.source.notebook_names import PYTHON_LANGUAGES

#: What is told of: whole notebooks, so that cells have the numbers that people know them by.
SYNC: Final = lsp.NotebookDocumentSyncOptions(
    [
        lsp.NotebookDocumentFilterWithNotebook(
            notebook=lsp.NotebookDocumentFilterNotebookType(notebook_type="jupyter-notebook", scheme="file")
        )
    ]
)


@dataclass(slots=True)
class _Document:
    """The text of a cell."""

    language: str
    version: int
    text: Text


@dataclass(slots=True)
class OpenCells:
    """The cells of one open notebook; ``encoding`` says what the editor counts in a line."""

    encoding: lsp.PositionEncodingKind | str
    cells: list[lsp.NotebookCell] = field(default_factory=list)
    _documents: dict[str, _Document] = field(default_factory=dict)

    def open(self, documents: Iterable[lsp.TextDocumentItem]) -> None:
        """Take in the texts of cells that were opened."""
        for item in documents:
            self._documents[item.uri] = _Document(item.language_id, item.version, Text(item.text, self.encoding))

    def change(self, change: lsp.NotebookDocumentCellChanges) -> None:
        """Take in what has changed of cells. Their metadata and how they were executed do not count."""
        if change.structure is not None:
            self._arrange(change.structure)
        kinds = {cell.document: cell.kind for cell in change.data or ()}
        for cell in self.cells:
            cell.kind = kinds.get(cell.document, cell.kind)
        for content in change.text_content or ():
            document = self._documents.get(content.document.uri)
            if document is not None:
                document.text = document.text.edited(content.changes)
                document.version = content.document.version

    def _arrange(self, structure: lsp.NotebookDocumentCellChangeStructure) -> None:
        """Cells were added, removed or moved. One that is closed and opened at once has got another language."""
        splice = structure.array
        self.cells[splice.start : splice.start + splice.delete_count] = splice.cells or ()
        for closed in structure.did_close or ():
            self._documents.pop(closed.uri, None)
        self.open(structure.did_open or ())

    def parts(self) -> Parts:
        """The Python cells."""
        found = []
        for number, cell in enumerate(self.cells, 1):
            document = self._documents.get(cell.document)
            if document is not None and cell.kind is lsp.NotebookCellKind.Code and document.language in PYTHON_LANGUAGES:
                found.append(Part(cell.document, document.version, document.text, number))
        return Parts(tuple(found))
