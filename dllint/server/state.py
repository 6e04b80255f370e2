"""The state of a conversation: the editor, its folders and settings, the open files, the analysis."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

from lsprotocol import types as lsp

from dllint.config.discovery import FILE_NAMES
from dllint.server.backend import Backend
from dllint.server.checking import Checker, remember
from dllint.server.client import Client
from dllint.server.files import Files, OpenFile, path_of
from dllint.server.messages import Closed, Configure, FolderOptions, Known, Touched
from dllint.server.notebooks import OpenCells
from dllint.server.parts import Part, Parts
from dllint.server.settings import ClientSettings
from dllint.server.text import Text
from dllint.source.encoding import UndecodableError, decode
from dllint.source.notebook_names import SUFFIX
from dllint.source.regular import read_regular


class State:
    """What the handlers of the protocol share. ``complain`` shows the user what to correct; ``known`` is called with a file
    when more is known at its places, and with what was followed of it.
    """

    def __init__(self, complain: Callable[[str], None], known: Callable[[OpenFile, Known], None]) -> None:
        self.client = Client()
        self.encoding: lsp.PositionEncodingKind | str = lsp.PositionEncodingKind.Utf16
        self.files = Files()
        self.backend = Backend(self._known, self._restore)
        self.checker = Checker(self.backend, complain)
        #: The settings of files that lie in no folder, and of folders without settings of their own.
        self.settings = ClientSettings()
        self.folders: dict[Path, ClientSettings] = {}
        self._announce = known
        #: The cells of the open notebooks, by the notebook's address.
        self._cells: dict[str, OpenCells] = {}

    def open(self, item: lsp.TextDocumentItem) -> OpenFile | None:
        """Take in a file the editor has opened; ``None`` if it is none of ours."""
        path = path_of(item.uri)
        if path is None or item.language_id not in ("python", "") or item.uri in self._cells:
            return None
        part = Part(item.uri, item.version, Text(item.text, self.encoding))
        return self._opened(OpenFile(item.uri, path, item.version, Parts((part,)), _now()))

    def _opened(self, file: OpenFile) -> OpenFile:
        self.files.add(file)
        self.checker.changed(file)
        return file

    def change(self, params: lsp.DidChangeTextDocumentParams) -> OpenFile | None:
        """Take in an edit."""
        uri, version = params.text_document.uri, params.text_document.version
        file = self.files.get(uri)
        if file is None or file.is_notebook:
            return None
        (part,) = file.parts
        file.version = version
        self._changed(file, Parts((Part(uri, version, part.text.edited(params.content_changes)),)))
        return file

    def _changed(self, file: OpenFile, parts: Parts) -> None:
        file.parts, file.changed = parts, _now()
        self.checker.changed(file)

    def open_notebook(self, params: lsp.DidOpenNotebookDocumentParams) -> OpenFile | None:
        """Take in a notebook the editor has opened; ``None`` if it is none of ours."""
        uri = params.notebook_document.uri
        path = path_of(uri)
        if path is None or path.suffix != SUFFIX:
            return None
        cells = self._cells[uri] = OpenCells(self.encoding, list(params.notebook_document.cells))
        cells.open(params.cell_text_documents)
        return self._opened(OpenFile(uri, path, 1, cells.parts(), _now(), is_notebook=True))

    def change_notebook(self, params: lsp.DidChangeNotebookDocumentParams) -> tuple[OpenFile, list[str]] | None:
        """Take in an edit of a notebook: what was edited, and the addresses of the texts that it has no more. ``None`` if
        nothing that counts has changed."""
        uri, change = params.notebook_document.uri, params.change.cells
        file, cells = self.files.get(uri), self._cells.get(uri)
        if file is None or cells is None or change is None:
            return None
        cells.change(change)
        before, parts = file.parts, cells.parts()
        if parts == before:
            return None
        file.version += 1
        self._changed(file, parts)
        return file, [part.uri for part in before if parts.at(part.uri) is None]

    def close_notebook(self, uri: str) -> OpenFile | None:
        """Take in that a notebook was closed."""
        return self._closed(uri) if self._cells.pop(uri, None) is not None else None

    def close(self, uri: str) -> OpenFile | None:
        """Take in that a file was closed."""
        return self._closed(uri) if uri not in self._cells else None

    def _closed(self, uri: str) -> OpenFile | None:
        file = self.files.remove(uri)
        if file is not None:
            self.backend.tell(Closed(file.path))
            self.checker.changed()
        return file

    def touched(self, paths: list[Path]) -> None:
        """Take in changes on disk."""
        if any(path.name in FILE_NAMES for path in paths):
            self.configure()
        sources = tuple(path for path in paths if path.name not in FILE_NAMES)
        if sources:
            self.backend.tell(Touched(sources))
            self.checker.changed()

    def configure(self) -> None:
        """Let the settings take effect, and configuration files be read anew."""
        self.backend.tell(self.configuration())
        self.checker.reconfigured()

    def configuration(self) -> Configure:
        """The settings of all folders, as an analysis process is told of them."""
        folders = [FolderOptions(None, self.settings.file(None), self.settings.overrides(), self.settings.python)]
        folders += [FolderOptions(root, s.file(root), s.overrides(), s.python) for root, s in self.folders.items()]
        return Configure(tuple(folders))

    def settings_for(self, path: Path) -> ClientSettings:
        """The settings of the innermost folder a file lies in."""
        around = [root for root in self.folders if path.is_relative_to(root)]
        return self.folders[max(around, key=lambda root: len(root.parts))] if around else self.settings

    def text_of(self, path: Path) -> Text:
        """The text of any file: the editor's, else the one on disk; empty if it cannot be read."""
        file = self.files.at(path)
        part = file.parts.of(None) if file is not None else None
        return part.text if part is not None else Text(disk_text(path), self.encoding)

    def _known(self, known: Known) -> None:
        file = self.files.at(known.path)
        if file is not None:
            remember(file, known)
            self._announce(file, known)

    def _restore(self) -> None:
        """Send a new analysis process what the one before knew."""
        self.backend.tell(self.configuration())
        for file in self.files:
            self.backend.tell(file.news)


def disk_text(path: Path) -> str:
    """The text of a file on disk; empty if it cannot be read."""
    try:
        return decode(read_regular(path))[0]
    except (OSError, UndecodableError):
        return ""


def _now() -> float:
    return asyncio.get_running_loop().time()
