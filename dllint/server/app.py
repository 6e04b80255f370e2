"""The language server as a whole: its state, how it starts and ends, and how it speaks to the editor unasked."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Iterable
from pathlib import Path
from typing import Any, Final

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcContentModified
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, default_converter, lsp_method

from dllint import __version__
from dllint.config.discovery import FILE_NAMES
from dllint.engine.figures import in_words
from dllint.server.checking import ClosedError
from dllint.server.child import Child
from dllint.server.diagnostics import diagnostics
from dllint.server.files import OpenFile, Outcome, path_of
from dllint.server.marks import Marks, real
from dllint.server.messages import Known
from dllint.server.notebooks import SYNC
from dllint.server.outlines import Outlines
from dllint.server.parts import Part
from dllint.server.process import Launched
from dllint.server.settings import SECTION, ClientSettings, read_settings
from dllint.server.state import State
from dllint.source.data.plain import HEADED, SUFFIXES
from dllint.source.plain import Plain

_LOGGER = logging.getLogger(__name__)
#: The notification about what was followed of a file: ``uri``, ``version``, a sentence as ``text``, and the ``share`` of
#: operations with known shapes (``null``: no tensor code). Editors with the experimental capability ``dllintFollowed`` get it.
FOLLOWED: Final = "$/dllint/followed"
_WATCHED: Final = (*(f"**/{name}" for name in FILE_NAMES), "**/*.py", *(f"**/*{suffix}" for suffix in (*SUFFIXES, *HEADED)))


class Protocol(LanguageServerProtocol):
    """pygls' protocol, except that texts are kept by :class:`State`: pygls splits lines also at form feeds. Requests whose
    parameters do not fit are answered, too: pygls leaves the editor waiting."""

    _server: Server

    def structure_message(self, data: dict[str, Any]) -> Any:
        """A message as the objects of the protocol."""
        try:
            return super().structure_message(data)
        except Exception:
            if "id" in data and "method" in data:
                message = f"the parameters of `{data['method']}` do not fit"
                self._send_response(data["id"], None, lsp.ResponseError(lsp.ErrorCodes.InvalidParams, message))
            raise

    def _handle_cancel_notification(self, msg_id: int | str) -> None:
        """A request was cancelled. Of a command, pygls drops the answer, but does not end the work."""
        super()._handle_cancel_notification(msg_id)
        for child in self._server.running.values():
            if child.request == msg_id:
                self._server.stop_run(child)
        if (survey := self._server.surveys.get(msg_id)) is not None:
            survey.cancel()

    @lsp_method(lsp.TEXT_DOCUMENT_DID_OPEN)
    def lsp_text_document__did_open(self, params: lsp.DidOpenTextDocumentParams) -> None:
        """A file was opened."""
        file = self._server.state.open(params.text_document)
        if file is not None:
            self._server.take_back_closed(file)
            self._server.publish_soon(file)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CHANGE)
    def lsp_text_document__did_change(self, params: lsp.DidChangeTextDocumentParams) -> None:
        """A file was edited."""
        file = self._server.state.change(params)
        if file is not None:
            self._server.publish_soon(file)

    @lsp_method(lsp.TEXT_DOCUMENT_DID_CLOSE)
    def lsp_text_document__did_close(self, params: lsp.DidCloseTextDocumentParams) -> None:
        """A file was closed; what was said about it is taken back, but for what runs have found."""
        server = self._server
        file = server.state.close(params.text_document.uri)
        if file is not None:
            server.forget(file)
            server.disk_changed()

    @lsp_method(lsp.NOTEBOOK_DOCUMENT_DID_OPEN)
    def lsp_notebook_document__did_open(self, params: lsp.DidOpenNotebookDocumentParams) -> None:
        """A notebook was opened."""
        file = self._server.state.open_notebook(params)
        if file is not None:
            self._server.drop_saved([file.path])
            self._server.publish_soon(file)

    @lsp_method(lsp.NOTEBOOK_DOCUMENT_DID_CHANGE)
    def lsp_notebook_document__did_change(self, params: lsp.DidChangeNotebookDocumentParams) -> None:
        """Cells were edited, added, removed, moved, or are of another kind or language."""
        changed = self._server.state.change_notebook(params)
        if changed is not None:
            file, gone = changed
            self._server.take_back(gone if not self._server.pulls(file) else ())
            self._server.publish_soon(file)

    @lsp_method(lsp.NOTEBOOK_DOCUMENT_DID_CLOSE)
    def lsp_notebook_document__did_close(self, params: lsp.DidCloseNotebookDocumentParams) -> None:
        """A notebook was closed; what was said about its cells is taken back."""
        file = self._server.state.close_notebook(params.notebook_document.uri)
        if file is not None:
            self._server.forget(file)
            self._server.disk_changed()


class Server(LanguageServer):
    """The server; the handlers of requests are in :mod:`dllint.server.features`."""

    def __init__(self, launched: Launched | None = None) -> None:
        self.launched = launched
        super().__init__(
            name="dllint",
            version=__version__,
            protocol_cls=Protocol,
            converter_factory=default_converter,
            notebook_document_sync=SYNC,
            max_workers=1,
        )
        self.state = State(self._complain, self._places_known)
        #: What runs have found, and the programs that are running, by the real path of their file.
        self.marks = Marks()
        #: Whether the editor has pulled the diagnostics of a cell: some pull those of files only, and are sent those of cells.
        self.pulls_cells = False
        self.running: dict[Path, Child] = {}
        self.outlines = Outlines(self)
        #: What the last check of the workspace has found in files that are not open, by their real path, while it holds.
        self.saved: dict[Path, list[lsp.Diagnostic]] = {}
        #: Checks of the workspace that run, by the number of the request that wants them; one works at a time.
        self.surveys: dict[int | str | None, asyncio.Future[Any]] = {}
        self.one_survey = asyncio.Lock()
        #: What an editor that pulls was told of files that are not open, and how many changes had been when that was found out.
        self.surveyed: tuple[dict[Path, list[lsp.Diagnostic]], int] = ({}, -1)
        #: How often files on the disk, settings or folders have changed, and what is set at the next change.
        self.changes = 0
        self.changed = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    def report_server_error(self, error: Exception, source: Any) -> None:
        """Faults of a message are logged; a popup would only disturb. That a text has changed meanwhile is none."""
        if not isinstance(error, JsonRpcContentModified):
            _LOGGER.error("%s: %s", getattr(source, "__name__", source), error)

    def _complain(self, text: str) -> None:
        self.say(lsp.MessageType.Error, f"dllint: {text}")

    def say(self, kind: lsp.MessageType, text: str) -> None:
        """Show the user a message."""
        self.window_show_message(lsp.ShowMessageParams(kind, text))

    def spawn(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Do something beside the conversation; a fault in it is logged."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._finished)
        return task

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            _LOGGER.error("%s: %s", type(error).__name__, error, exc_info=error)

    # Diagnostics

    def enabled(self, uri: str) -> tuple[OpenFile, Part] | None:
        """The open text of an address and its file, unless the settings turn everything off for it."""
        found = self.state.files.locate(uri)
        return found if found is not None and self.state.settings_for(found[0].path).enable else None

    def diagnostics_of(self, file: OpenFile, outcome: Outcome, part: Part) -> list[lsp.Diagnostic]:
        """The diagnostics of an outcome in one of its texts, with the findings of runs, which are never in cells."""
        static = diagnostics(outcome, part, self.state.settings_for(file.path).hints, self.state.text_of)
        return [*static, *(self.marks.diagnostics(file.path, part.text) if part.cell is None else ())]

    def pulls(self, file: OpenFile) -> bool:
        """Whether the editor asks for the diagnostics of a file itself."""
        return self.state.client.pull_diagnostics and (self.pulls_cells or not file.is_notebook)

    def was_pulled(self, part: Part) -> None:
        """The editor has asked for the diagnostics of a text. If it turns out to pull those of cells, it is pushed no more."""
        if part.cell is not None and not self.pulls_cells:
            self.take_back(part.uri for file in self.state.files if file.is_notebook for part in file.parts)
            self.pulls_cells = True

    def publish_soon(self, file: OpenFile) -> None:
        """Push the diagnostics of a file when they are known, unless the editor pulls them."""
        if not self.pulls(file) and (file.publication is None or file.publication.done()):
            file.publication = self.spawn(self._publish(file))

    def publish_stale(self) -> None:
        """Push the diagnostics of all open files that something has changed for."""
        for file in self.state.files:
            if not self.state.checker.is_current(file):
                self.publish_soon(file)

    def forget(self, file: OpenFile) -> None:
        """Take back what was said about a file that was closed, but for what runs have found."""
        if file.is_notebook and not self.pulls(file):
            self.take_back(part.uri for part in file.parts)
        marks = self.marks.diagnostics(file.path, self.state.text_of(file.path)) if not file.is_notebook else []
        if marks or not (self.state.client.pull_diagnostics or file.is_notebook):
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(file.uri, marks))
        if not self.state.client.pull_diagnostics:
            self.publish_stale()

    def take_back(self, uris: Iterable[str]) -> None:
        """Take back what was pushed of some texts."""
        for uri in uris:
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri, []))

    def refresh(self) -> None:
        """Diagnostics may have changed without an edit: push them, and ask an editor that pulls to pull."""
        self.publish_stale()
        if self.state.client.pull_diagnostics and self.state.client.refresh_diagnostics:
            self.workspace_diagnostic_refresh(None)

    async def _publish(self, file: OpenFile) -> None:
        outcome: Outcome | None = None
        if self.state.settings_for(file.path).enable:
            try:
                outcome = await self.state.checker.current(file)
            except ClosedError:
                return
        if self.pulls(file):  # since
            return
        for part in file.parts if outcome is None else outcome.parts:
            items = self.diagnostics_of(file, outcome, part) if outcome is not None else []
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(part.uri, items, part.version))
        self.spawn(self._publish_others())

    async def _publish_others(self) -> None:
        self.publish_stale()

    # Runs

    def show_marks(self, paths: Iterable[Path]) -> None:
        """What runs have found in some files has changed. Of files that are not open, it is pushed to every editor."""
        opened = {real(file.path): file for file in self.state.files}
        for path in paths:
            if (file := opened.get(real(path))) is not None:
                self.publish_soon(file)
            else:
                self.publish_closed(path)
        if self.state.client.pull_diagnostics and self.state.client.refresh_diagnostics:
            self.workspace_diagnostic_refresh(None)

    def publish_closed(self, path: Path) -> None:
        """Push what is known of a file that is not open: what runs and the last check of the workspace have found."""
        items = [*self.marks.diagnostics(path, self.state.text_of(path)), *self.saved.get(real(path), ())]
        self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(path.absolute().as_uri(), items))

    def take_back_closed(self, file: OpenFile) -> None:
        """Take back what was pushed of a file that was not open, from an editor that pulls from now on."""
        was_saved = self.saved.pop(real(file.path), None)
        has_marks = bool(self.marks.diagnostics(file.path, self.state.text_of(file.path)))
        if self.state.client.pull_diagnostics and (was_saved or has_marks):
            self.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(file.uri, []))

    def drop_saved(self, paths: Iterable[Path]) -> None:
        """Take back what the last check of the workspace has found in some files, which are not the same any more."""
        for path in paths:
            if self.saved.pop(real(path), None):
                self.publish_closed(path)

    def disk_changed(self) -> None:
        """Files on the disk, settings or folders have changed: what a check of the workspace would find may be another."""
        self.changes += 1
        self.changed.set()
        self.changed = asyncio.Event()

    def stop_run(self, child: Child) -> None:
        """End a program that the user wants no more; its command sees to the rest."""
        self.spawn(child.stop())

    def end_runs(self) -> None:
        """End all programs that are running, at once."""
        for child in list(self.running.values()):
            child.kill()

    def _places_known(self, file: OpenFile, known: Known) -> None:
        """Editors that show hints ask for them again; those that want to know learn what the findings rest on."""
        if known.followed is not None and self.state.client.followed:
            text, share = in_words(known.followed), known.followed.share
            self.protocol.notify(FOLLOWED, {"uri": file.uri, "version": known.version, "text": text, "share": share})
        settings = self.state.settings_for(file.path)
        if self.state.client.refresh_inlay_hints and settings.inlay_shapes:
            self.workspace_inlay_hint_refresh(None)
        if self.state.client.refresh_code_lenses and settings.any_lens:
            self.workspace_code_lens_refresh(None)
        self.outlines.known(file)

    # Settings

    async def fetch_settings(self) -> None:
        """Ask the editor for its settings and let them take effect."""
        state = self.state
        if state.client.configuration:
            roots = list(state.folders)
            items = [lsp.ConfigurationItem(scope_uri=root.as_uri(), section=SECTION) for root in roots]
            items.append(lsp.ConfigurationItem(section=SECTION))
            try:
                answers = await self.workspace_configuration_async(lsp.ConfigurationParams(items))
            except Exception as error:  # an editor that cannot answer keeps the settings it began with
                _LOGGER.warning("the editor does not tell its settings: %s", error)
                answers = []
            if len(answers) == len(items):
                for root, answer in zip(roots, answers, strict=False):
                    state.folders[root] = self.settings_in(answer, state.folders[root])
                state.settings = self.settings_in(answers[-1], state.settings)
        self.apply_settings()

    def settings_in(self, value: Plain, present: ClientSettings) -> ClientSettings:
        """The settings an editor sent; what is no table leaves the present ones."""
        return read_settings(plain(value), _LOGGER.warning) if plain(value) else present

    def apply_settings(self) -> None:
        """Let changed settings take effect."""
        self.state.configure()
        self.state.checker.ready.set()
        self.disk_changed()
        self.refresh()
        if self.state.client.refresh_inlay_hints:
            self.workspace_inlay_hint_refresh(None)
        if self.state.client.refresh_code_lenses:
            self.workspace_code_lens_refresh(None)
        self.outlines.changed()

    def set_folders(self, uris: list[str]) -> None:
        """Use these workspace folders; those that were there before keep their settings."""
        roots = [path for uri in uris if (path := path_of(uri)) is not None]
        self.state.folders = {root: self.state.folders.get(root, self.state.settings) for root in roots}

    async def watch(self) -> None:
        """Ask the editor to tell of changes of files and settings."""
        registrations = []
        if self.state.client.watch_files:
            watchers = [lsp.FileSystemWatcher(pattern) for pattern in _WATCHED]
            options = lsp.DidChangeWatchedFilesRegistrationOptions(watchers)
            registrations.append(lsp.Registration("dllint-files", lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES, options))
        if self.state.client.register_configuration:
            section = lsp.DidChangeConfigurationRegistrationOptions(section=SECTION)
            registrations.append(lsp.Registration("dllint-settings", lsp.WORKSPACE_DID_CHANGE_CONFIGURATION, section))
        if registrations:
            try:
                await self.client_register_capability_async(lsp.RegistrationParams(registrations))
            except Exception as error:  # without it the server works, but does not see such changes
                _LOGGER.warning("the editor watches nothing for us: %s", error)


def plain(value: Any) -> Any:
    """A value of a message as dictionaries and lists; pygls makes objects of what has no type of its own."""
    if isinstance(value, dict):
        return {key: plain(item) for key, item in value.items()}
    if hasattr(value, "_asdict"):
        return {key: plain(item) for key, item in value._asdict().items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value
