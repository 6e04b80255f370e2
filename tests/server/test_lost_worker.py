"""Every request is answered although the analysis process ends, whoever ends it and whenever that is."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from pathlib import Path
from types import SimpleNamespace

import pytest

from dllint.server.backend import Backend, LostError
from dllint.server.messages import Show
from tests.server.test_diagnostics import NET
from tests.server.test_robust import children_of

WHOLE = {"start": {"line": 0, "character": 0}, "end": {"line": 30, "character": 0}}


def requests(uri):
    """One of each kind of requests about a file."""
    about = {"textDocument": {"uri": uri}}
    yield "textDocument/diagnostic", about
    yield "textDocument/codeAction", {**about, "range": WHOLE, "context": {"diagnostics": []}}
    yield "textDocument/hover", {**about, "position": {"line": 8, "character": 8}}
    yield "textDocument/inlayHint", {**about, "range": WHOLE}
    yield "workspace/executeCommand", {"command": "dllint.printProgram", "arguments": [uri]}
    yield "codeAction/resolve", {"title": "all", "kind": "source.fixAll.dllint", "data": {"uri": uri}}


def analyses_of(server):
    """The processes of a server that analyse."""
    found = []
    for child in children_of(server):
        command = f"/proc/{child}/cmdline"
        if os.path.exists(command) and b"spawn_main" in Path(command).read_bytes():
            found.append(child)
    return found


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("delay", [0.0, 0.02, 0.3])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGTERM])
def test_requests_under_way_are_answered(connect, tmp_path, delay, number):
    client = connect(cwd=tmp_path)
    client.start(tmp_path)
    uri = client.open(tmp_path / "net.py", NET)
    assert [item["code"] for item in client.pull(uri)["items"]] == ["DLT101"]
    for attempt in range(2):
        client.replace(uri, 2 + attempt, f"{NET}# {attempt}\n")
        asked = [client.ask(method, parameters) for method, parameters in requests(uri)]
        time.sleep(delay)
        for process in analyses_of(client.process.pid):
            os.kill(process, number)
        for one in asked:
            answer = client.answer(one, timeout=60)
            assert ("error" in answer) is not ("result" in answer)
    assert [item["code"] for item in client.pull(uri)["items"]] == ["DLT101"]


class FakeConnection:
    """The end of a connection of which somebody else has the rest."""

    def __init__(self, *, unreadable=False, unsendable=False) -> None:
        self.unreadable, self.unsendable, self.ended = unreadable, unsendable, False

    def recv(self):
        while not self.ended:
            time.sleep(0.01)
            if self.unreadable:
                raise ValueError("half a message")
        raise EOFError

    def send(self, message):
        if self.unsendable:
            raise RecursionError("a message without end")

    def close(self):
        self.ended = True


@pytest.mark.parametrize("fault", ["unreadable", "unsendable", "no other process"])
def test_questions_are_answered_when_nothing_can_be_exchanged(tmp_path, monkeypatch, fault):
    def launched():
        if fault == "no other process" and made:
            raise OSError("no processes are left")
        connection = FakeConnection(**{fault: True} if fault != "no other process" and not made else {})
        made.append(connection)
        end = lambda: setattr(connection, "ended", True)  # noqa: E731
        return SimpleNamespace(kill=end, terminate=end, join=lambda seconds: None, exitcode=1), connection

    made: list[FakeConnection] = []
    monkeypatch.setattr("dllint.server.backend.launch", launched)

    async def ask():
        backend = Backend(lambda known: None, lambda: None)
        backend.start()
        if fault == "no other process":
            asyncio.get_running_loop().call_later(0.05, backend.kill)
        with pytest.raises(LostError):
            await asyncio.wait_for(backend.ask(Show(tmp_path)), 10)
        backend.stop()

    asyncio.run(ask())
