"""Which message of the protocol is answered by what."""

from __future__ import annotations

import asyncio
import contextlib
import logging
from itertools import chain
from pathlib import Path
from typing import Any, Final

from lsprotocol import types as lsp
from pygls.exceptions import JsonRpcContentModified

from dllint.server import actions, checking, lookup, model_tests, models, parent
from dllint.server.app import Server, plain
from dllint.server.backend import LostError
from dllint.server.checking import ClosedError
from dllint.server.client import Client
from dllint.server.failing import each
from dllint.server.files import OpenFile, Outcome, path_of
from dllint.server.messages import FixAll, Fixed, Prove, Proved, Question, Show, Superseded
from dllint.server.outlines import LABEL
from dllint.server.parts import Part
from dllint.server.process import Launched
from dllint.server.runs import commands
from dllint.server.runs.fixes import run_fixes
from dllint.server.settings import SECTION, initial_settings
from dllint.server.showing import show_why
from dllint.server.survey import digest
from dllint.server.workspace import check_workspace, workspace_diagnostic

_LOGGER = logging.getLogger(__name__)
_MOST_QUESTIONS: Final = 3
_PAUSE: Final = 0.05


def make_server(launched: Launched | None = None) -> Server:
    """A server with all its features; ``launched`` is an analysis process that is running already."""
    server = Server(launched)
    server.feature(lsp.INITIALIZE)(_initialize)
    server.feature(lsp.INITIALIZED)(_initialized)
    server.feature(lsp.SHUTDOWN)(_shutdown)
    server.feature(lsp.WORKSPACE_DID_CHANGE_CONFIGURATION)(_configuration_changed)
    server.feature(lsp.WORKSPACE_DID_CHANGE_WATCHED_FILES)(_files_changed)
    server.feature(lsp.WORKSPACE_DID_CHANGE_WORKSPACE_FOLDERS)(_folders_changed)
    kinds = lsp.CodeActionOptions(
        [lsp.CodeActionKind.QuickFix, model_tests.KIND, actions.FIX_ALL, actions.FIX_NOTEBOOK], resolve_provider=True
    )
    server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, kinds)(_code_actions)
    server.feature(lsp.CODE_ACTION_RESOLVE)(_resolve)
    server.feature(lsp.TEXT_DOCUMENT_HOVER)(_hover)
    server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)(_inlay_hints)
    server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)(models.code_lenses)
    server.command("dllint.graph")(models.graph)
    server.command("dllint.summary")(models.summary)
    server.command("dllint.models")(models.listed)
    server.command("dllint.printProgram")(_print_program)
    server.command("dllint.checkWorkspace")(check_workspace)
    server.command(actions.SHOW_WHY)(show_why)
    server.command(model_tests.WRITE_TEST)(model_tests.write_test)
    server.command("dllint.bisect")(commands.bisect)
    server.command("dllint.diagnose")(commands.diagnose)
    server.command("dllint.clearRuns")(commands.clear)
    return server


def _initialize(ls: Server, params: lsp.InitializeParams) -> None:
    """Get to know the editor. Runs before the capabilities are sent, so that pulling is offered only to those who pull."""
    state = ls.state
    state.client = Client.of(params.capabilities)
    state.encoding = ls.workspace.position_encoding or lsp.PositionEncodingKind.Utf16
    state.settings = initial_settings(plain(params.initialization_options), _LOGGER.warning)
    folders = [folder.uri for folder in params.workspace_folders or ()]
    ls.set_folders(folders or ([params.root_uri] if params.root_uri else []))
    if state.client.pull_diagnostics:
        everywhere = state.settings.workspace
        options = lsp.DiagnosticOptions(inter_file_dependencies=True, workspace_diagnostics=everywhere, identifier="dllint")
        if everywhere:
            ls.feature(lsp.WORKSPACE_DIAGNOSTIC)(workspace_diagnostic)
        ls.feature(lsp.TEXT_DOCUMENT_DIAGNOSTIC, options)(_diagnostic)
    if not state.client.register_symbols:
        ls.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL, lsp.DocumentSymbolOptions(label=LABEL))(models.symbols)
    if params.process_id is not None:
        parent.exit_with(params.process_id, ls.end_runs)
    state.backend.start(ls.launched)


async def _initialized(ls: Server, _: lsp.InitializedParams) -> None:
    registers = ls.state.client.register_symbols
    if registers:
        ls.feature(lsp.TEXT_DOCUMENT_DOCUMENT_SYMBOL)(models.symbols)
    await ls.fetch_settings()
    await ls.watch()
    if registers:
        await ls.outlines.offer()


async def _shutdown(ls: Server, _: None) -> None:
    ls.state.backend.stop()
    ls.end_runs()
    while ls.running:  # their commands are answered before
        await asyncio.sleep(_PAUSE)
    await asyncio.sleep(0)


async def _configuration_changed(ls: Server, params: lsp.DidChangeConfigurationParams) -> None:
    if not ls.state.client.configuration:
        settings = plain(params.settings)
        table = settings.get(SECTION) if isinstance(settings, dict) else None
        ls.state.settings = ls.settings_in(table, ls.state.settings)
        ls.state.folders = dict.fromkeys(ls.state.folders, ls.state.settings)
    await ls.fetch_settings()


def _files_changed(ls: Server, params: lsp.DidChangeWatchedFilesParams) -> None:
    paths = [path for change in params.changes if (path := path_of(change.uri)) is not None]
    closed = [path for path in paths if ls.state.files.at(path) is None]
    if closed:
        ls.state.touched(closed)
        ls.drop_saved(closed)
        ls.refresh()
    ls.disk_changed()


async def _folders_changed(ls: Server, _: lsp.DidChangeWorkspaceFoldersParams) -> None:
    ls.set_folders([folder.uri for folder in ls.workspace.folders.values()])
    await ls.fetch_settings()


async def _diagnostic(ls: Server, params: lsp.DocumentDiagnosticParams) -> lsp.DocumentDiagnosticReport:
    uri = params.text_document.uri
    file, part = ls.enabled(uri) or (None, None)
    if file is None or part is None:
        return lsp.RelatedFullDocumentDiagnosticReport([])
    ls.was_pulled(part)
    try:
        outcome = await ls.state.checker.current(file)
    except ClosedError:
        return lsp.RelatedFullDocumentDiagnosticReport([])
    ls.publish_stale()
    part = outcome.parts.at(uri)  # a cell may be gone by now
    items = ls.diagnostics_of(file, outcome, part) if part is not None else []
    result_id = digest(ls, items)
    if result_id == params.previous_result_id:
        return lsp.RelatedUnchangedDocumentDiagnosticReport(result_id)
    return lsp.RelatedFullDocumentDiagnosticReport(items, result_id=result_id)


async def _code_actions(ls: Server, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    uri, only = params.text_document.uri, params.context.only
    file, part = ls.enabled(uri) or (None, None)
    if file is None or part is None:
        return []
    found = await _quick_fixes(ls, file, part, params) if actions.wanted(lsp.CodeActionKind.QuickFix.value, only) else []
    found += model_tests.offered(ls, file, part, params.range) if actions.wanted(model_tests.KIND, only) else []
    automatic = params.context.trigger_kind is lsp.CodeActionTriggerKind.Automatic and only is None
    late = [actions.fix_all(part, file.version)] if actions.wanted(actions.FIX_ALL, only) and not automatic else []
    if file.is_notebook and actions.wanted(actions.FIX_NOTEBOOK, only) and not automatic:
        late.append(actions.fix_notebook(part, file.version))
    for action in late:
        if ls.state.client.resolves_edits:
            found.append(action)
        else:
            with contextlib.suppress(JsonRpcContentModified):
                found.append(await _resolve(ls, action))
    return found


async def _quick_fixes(ls: Server, file: OpenFile, part: Part, params: lsp.CodeActionParams) -> list[lsp.CodeAction]:
    versioned = ls.state.client.versioned_edits
    shown = list(ls.marks.shown(file.path, part.text)) if part.cell is None else []
    of_runs = list(run_fixes(shown, params.range, lambda path: (ls.state.text_of(path), ls.state.files.at(path)), versioned))
    outcome = file.outcome
    if outcome is None or outcome.version != file.version:
        return of_runs
    numbers = actions.findings_in(outcome, part, params.range)
    await _prove(ls, file, outcome, numbers)
    if outcome.version != file.version:
        return []
    given = params.context.diagnostics

    def fixes_of(number: int) -> list[lsp.CodeAction]:
        return actions.quick_fixes(file, outcome, number, given, versioned)

    return [*of_runs, *chain.from_iterable(each(numbers, fixes_of, "the fixes of a finding cannot be offered"))]


async def _prove(ls: Server, file: OpenFile, outcome: Outcome, numbers: list[int]) -> None:
    """Find out which fixes of some findings pass the gate, where that is not known yet."""
    unknown = tuple(number for number in numbers if number not in outcome.proved)
    if not unknown:
        return
    answer = await _insist(ls, file, Prove(file.path, outcome.version, unknown))
    if isinstance(answer, Proved):
        outcome.proved.update(answer.fixes)
        outcome.comments.update(answer.comments)
        outcome.file_comments.update(answer.file_comments)


async def _insist(ls: Server, file: OpenFile, question: Prove | FixAll) -> Any:
    """The answer to a question about a version of a file, asked again where other news got in between."""
    for _ in range(_MOST_QUESTIONS):
        try:
            answer = await _asked(ls, question)
        except TimeoutError:
            return None
        except LostError:
            continue
        if not isinstance(answer, Superseded) or file.version != question.version or file.closed:
            return answer
    return None


async def _asked(ls: Server, question: Question) -> Any:
    """The answer to a question. A process that does not answer it in time is ended.

    Raises:
        LostError: the process died before it answered.
        TimeoutError: it did not answer.
    """
    try:
        return await asyncio.wait_for(ls.state.backend.ask(question), checking.LONGEST_CHECK)
    except TimeoutError:
        _LOGGER.error("the analysis does not end; its process is ended")
        ls.state.backend.kill()
        raise


async def _resolve(ls: Server, action: lsp.CodeAction) -> lsp.CodeAction:
    """What an action changes.

    Raises:
        JsonRpcContentModified: the file has changed since the action was offered, or does so now.
    """
    data = plain(action.data)
    uri = data["uri"] if isinstance(data, dict) and "uri" in data else ""
    file, part = ls.state.files.locate(uri) or (None, None)
    if file is None or part is None or action.edit is not None:
        return action
    parts, version = file.parts, file.version
    asked = FixAll(file.path, version, None if data.get("whole") else part.cell)
    answer = await _insist(ls, file, asked) if data.get("version", version) == version else None
    if file.version != data.get("version", version):
        raise JsonRpcContentModified(f"{file.path.name} has changed since the action was offered")
    fixed = answer if isinstance(answer, Fixed) and file.version == version else None
    edits = [(part, actions.difference(part.text, _text_in(fixed, part))) for part in parts] if fixed is not None else []
    changed = [(part, own) for part, own in edits if own or not file.is_notebook]
    action.edit = actions.workspace_edit(changed, ls.state.client.versioned_edits)
    return action


def _text_in(fixed: Fixed, part: Part) -> str:
    """The text of a file, or of a cell, after all fixes; cells that do not parse stay as they are."""
    return fixed.text if part.cell is None else fixed.cells.get(part.cell, part.text.content)


def _hover(ls: Server, params: lsp.HoverParams) -> lsp.Hover | None:
    file, part = ls.enabled(params.text_document.uri) or (None, None)
    if file is None or part is None or file.known is None:
        return None
    return lookup.hover(file.known.of(part.uri), part.text, params.position, ls.state.client.markdown)


async def _inlay_hints(ls: Server, params: lsp.InlayHintParams) -> list[lsp.InlayHint]:
    file, part = ls.enabled(params.text_document.uri) or (None, None)
    settings = ls.state.settings_for(file.path) if file is not None else ls.state.settings
    if file is None or part is None or not settings.inlay_shapes:
        return []
    if not ls.state.client.refresh_inlay_hints:
        await ls.state.checker.learnt(file)
        part = file.parts.at(part.uri)
    if file.known is None or part is None:
        return []
    return lookup.inlay_hints(file.known.of(part.uri), part.text, params.range, settings.inlay_parameters)


async def _print_program(ls: Server, uri: str = "") -> str:
    """The traced programs of an open file, for those who want to see why something was found."""
    file, _ = ls.state.files.locate(uri) or (None, None)
    path: Path | None = file.path if file is not None else path_of(uri)
    try:
        answer: Any = await _asked(ls, Show(path)) if path is not None else ""
    except LostError as error:
        answer = str(error)
    except TimeoutError:
        answer = "the analysis does not end"
    return answer if isinstance(answer, str) else ""
