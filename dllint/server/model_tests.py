"""The action and the command that write a test of a model's architecture beside its file."""

from __future__ import annotations

import asyncio
import re
from typing import Any, Final

from lsprotocol import types as lsp

from dllint.server import checking
from dllint.server.app import Server
from dllint.server.backend import LostError
from dllint.server.files import OpenFile
from dllint.server.messages import ModelTest, WriteTest
from dllint.server.parts import Part

#: The kind of the action, and its command, whose arguments are the address of the file and the name of the class.
KIND: Final = "refactor.dllint"
WRITE_TEST: Final = "dllint.writeArchitectureTest"
_CLASS: Final = re.compile(r"\s*class\s+(?P<name>\w+)")


def offered(ls: Server, file: OpenFile, part: Part, range_: lsp.Range) -> list[lsp.CodeAction]:
    """The action for the class of modules whose header the range begins in, if the editor can make files."""
    known = file.known.of(part.uri) if file.known is not None else None
    if part.cell is not None or known is None or not ls.state.client.creates_files:
        return []
    content = known.text.content
    offset = known.text.offset(range_.start)
    start = content.rfind("\n", 0, offset) + 1
    match = _CLASS.match(content, start)
    if match is None or not any(place.start == match.start("name") and "class " in place.text for place in known.places):
        return []
    title = f"Write a test of the architecture of {match['name']}"
    command = lsp.Command(title, WRITE_TEST, arguments=[file.uri, match["name"]])
    return [lsp.CodeAction(title=title, kind=KIND, command=command)]


async def write_test(ls: Server, uri: str = "", name: str = "") -> dict[str, str] | None:
    """The command ``dllint.writeArchitectureTest``: have the editor make the file of the test, and show it. The address of the
    file; ``None`` if there is none, and a message says why."""
    file = ls.state.files.get(uri)
    if file is None or not name.isidentifier():
        _refuse(ls, "open the file of the model first")
        return None
    target = file.path.with_name(f"test_{file.path.stem}_{_snake(name)}.py")
    if target.exists():
        _refuse(ls, f"{target.name} is there already")
        return None
    test = await _asked(ls, WriteTest(file.path, name))
    if not test.text:
        _refuse(ls, test.reason)
        return None
    address = target.as_uri()
    applied = await ls.workspace_apply_edit_async(lsp.ApplyWorkspaceEditParams(_making(address, test.text), f"Test {name}"))
    if not applied.applied:
        _refuse(ls, f"the editor has not made {target.name}: {applied.failure_reason or 'it does not say why'}")
        return None
    return {"uri": address}


def _snake(name: str) -> str:
    """``ResNet`` as ``res_net``."""
    return re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower()


def _making(address: str, text: str) -> lsp.WorkspaceEdit:
    """The edit that makes a file, which must not be there."""
    start = lsp.Position(0, 0)
    document = lsp.OptionalVersionedTextDocumentIdentifier(address, None)
    inserted = lsp.TextDocumentEdit(document, [lsp.TextEdit(lsp.Range(start, start), text)])
    return lsp.WorkspaceEdit(document_changes=[lsp.CreateFile(address), inserted])


async def _asked(ls: Server, question: WriteTest) -> ModelTest:
    try:
        answer: Any = await asyncio.wait_for(ls.state.backend.ask(question), checking.LONGEST_CHECK)
    except (LostError, TimeoutError):
        return ModelTest("", "the analysis has given no answer")
    return answer if isinstance(answer, ModelTest) else ModelTest("", "the file could not be analysed")


def _refuse(ls: Server, reason: str) -> None:
    ls.say(lsp.MessageType.Warning, f"dllint: no test is written: {reason}")
