"""Attacks of an outsider: messages of a hostile or broken editor, and hostile files that it opens, must not end the server."""

# ruff: noqa: E501 - what is sent or written stands on one line
from __future__ import annotations

import contextlib
import json
import queue
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.security.outsider import FAULTY, environment

DEADLINE = 120.0


class Editor:
    """An editor that may say anything."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.next = 0
        self.log = (folder.parent / "server.err").open("wb")
        self.process = subprocess.Popen(
            ["timeout", "-k", "1", "600", sys.executable, "-P", "-m", "dllint", "server"],
            cwd=folder, env=environment(folder.parent / "home"), stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self.log,
        )  # fmt: skip
        self.messages: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self.seen: list[dict[str, Any]] = []
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        stream = self.process.stdout
        assert stream is not None
        while line := stream.readline():
            length = 0
            while line.strip():
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
                line = stream.readline()
            self.messages.put(json.loads(stream.read(length)))
        self.messages.put(None)

    def raw(self, content: bytes) -> None:
        """Send bytes as they are."""
        assert self.process.stdin is not None
        self.process.stdin.write(content)
        self.process.stdin.flush()

    def send(self, message: object) -> None:
        """Send any JSON."""
        content = json.dumps(message).encode()
        self.raw(b"Content-Length: %d\r\n\r\n" % len(content) + content)

    def notify(self, method: str, params: object) -> None:
        """Tell the server something."""
        self.send({"jsonrpc": "2.0", "method": method, "params": params})

    def request(self, method: str, params: object) -> int:
        """Ask the server something, without waiting."""
        self.next += 1
        self.send({"jsonrpc": "2.0", "id": self.next, "method": method, "params": params})
        return self.next

    def answer(self, number: int, deadline: float = DEADLINE) -> dict[str, Any]:
        """The answer to a request."""
        until = time.monotonic() + deadline
        while True:
            for message in self.seen:
                if message.get("id") == number and "method" not in message:
                    return message
            message = self.messages.get(timeout=max(0.01, until - time.monotonic()))
            assert message is not None, f"the server ended: {self.process.wait()}"
            self.seen.append(message)
            if "method" in message and "id" in message:  # what servers ask is answered with nothing
                self.send({"jsonrpc": "2.0", "id": message["id"], "result": None})

    def ask(self, method: str, params: object) -> dict[str, Any]:
        """Ask and wait."""
        return self.answer(self.request(method, params))

    def uri(self, name: str) -> str:
        """The address of a file of the project."""
        return (self.folder / name).as_uri()

    def open(self, name: str, text: str, **more: object) -> None:
        """Open a document."""
        document = {"uri": self.uri(name), "languageId": "python", "version": 1, "text": text} | more
        self.notify("textDocument/didOpen", {"textDocument": document})

    def diagnostics(self, name: str) -> list[dict[str, Any]]:
        """The findings of a document."""
        answer = self.ask("textDocument/diagnostic", {"textDocument": {"uri": self.uri(name)}})
        return answer["result"]["items"]

    def alive(self) -> None:
        """The server still checks a document that is opened now."""
        self.next += 1
        name = f"alive{self.next}.py"
        self.open(name, FAULTY)
        found = self.diagnostics(name)
        assert [each["range"]["start"]["line"] for each in found] == [2], found
        assert self.process.poll() is None


@pytest.fixture
def editor(tmp_path: Path) -> Iterator[Editor]:
    folder = tmp_path / "project"
    folder.mkdir()
    made = Editor(folder)
    capabilities = {"textDocument": {"diagnostic": {}, "hover": {}}, "general": {"positionEncodings": ["utf-16"]}}
    made.ask("initialize", {"processId": None, "rootUri": folder.as_uri(), "capabilities": capabilities})
    made.notify("initialized", {})
    yield made
    with contextlib.suppress(OSError):
        made.request("shutdown", None)
        made.notify("exit", None)
        made.process.stdin.close()  # type: ignore[union-attr]
    try:
        made.process.wait(10)
    except subprocess.TimeoutExpired:
        made.process.kill()
    made.log.close()


POSITIONS: tuple[object, ...] = (
    {"line": -1, "character": -1}, {"line": 2**31 - 1, "character": 2**31 - 1}, {"line": 2**70, "character": 10**400}, {"line": 1.5, "character": 0},
    {"line": "1", "character": None}, {"line": 2, "character": 99}, {}, None, [], 7,
)  # fmt: skip
METHODS = (
    "textDocument/hover", "textDocument/codeAction", "textDocument/inlayHint", "textDocument/diagnostic", "codeAction/resolve",
    "workspace/executeCommand", "workspace/diagnostic", "textDocument/definition", "dllint/unknown", "$/unknown", "initialize",
)  # fmt: skip


def test_every_request_is_answered(editor: Editor) -> None:
    """Requests with parameters of every wrong kind are answered, with a result or an error."""
    editor.open("a.py", FAULTY)
    here = editor.uri("a.py")
    odd: list[object] = [
        None,
        [],
        {},
        7,
        "x",
        [[]],
        {"textDocument": None},
        {"textDocument": {"uri": 3}},
        {"textDocument": {"uri": ""}},
    ]
    for position in POSITIONS:
        odd.append(
            {
                "textDocument": {"uri": here},
                "position": position,
                "range": {"start": position, "end": position},
                "context": {"diagnostics": []},
            }
        )
        odd.append(
            {
                "textDocument": {"uri": here},
                "range": {"start": position, "end": {"line": 0, "character": 0}},
                "context": {"diagnostics": [position]},
            }
        )
    for command in ("dllint.printProgram", "dllint.unknown", "dllint.clearRuns", "", None):
        odd.extend(
            {"command": command, "arguments": given}
            for given in (None, [], [None], ["file://elsewhere/a.py"], [{}], [here, here], "x")
        )
    numbers = [editor.request(method, params) for method in METHODS for params in odd]
    for number in numbers:
        answer = editor.answer(number)
        assert "result" in answer or "error" in answer
    editor.alive()


URIS = (
    "", "file:", "file://", "file:///", "file://other.host/etc/passwd", "file://127.0.0.1:1/a.py", "http://127.0.0.1:1/a.py", "untitled:a", "file:///%00.py",
    "file:///%ff%fe.py", "file:///a%0a::error::.py", "file:///dev/zero", "file:///proc/self/mem", "file:///" + "a/" * 5000, "file:///" + "a" * 5000 + ".py",
    "file:///..%2f..%2fetc/passwd", "file:///\ud800.py", "\\\\server\\share\\a.py", "file:////server/share/a.py", "file:///[", "file://[::1", "vscode-notebook-cell:a#b",
    "file:///etc/passwd?x#y", "FILE:///A.PY", "file:relative.py", "data:text/plain,import torch", "git:/a.py?{}", "//", "file://[",
)  # fmt: skip


def test_addresses_of_every_kind_are_answered(editor: Editor) -> None:
    """Documents whose address is no file, or somebody else's, neither end the server nor lose answers."""
    for uri in URIS:
        document = {"uri": uri, "languageId": "python", "version": 1, "text": FAULTY}
        editor.notify("textDocument/didOpen", {"textDocument": document})
        numbers = [
            editor.request("textDocument/diagnostic", {"textDocument": {"uri": uri}}),
            editor.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 2, "character": 3}}),
            editor.request("workspace/executeCommand", {"command": "dllint.printProgram", "arguments": [uri]}),
        ]
        for number in numbers:
            editor.answer(number)
        editor.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    editor.alive()


def test_changes_out_of_range_do_not_end_the_server(editor: Editor) -> None:
    """Edits of lines that are not there, backwards, between the halves of a letter, of closed files and of wrong versions."""
    editor.open("a.py", "x = '\U0001f600'\n" + FAULTY)
    for version in (2, 2, -1, 0, None, 10**400, "x"):
        for position in POSITIONS:
            for change in (
                {"range": {"start": position, "end": {"line": 0, "character": 6}}, "text": "\ud800\0"},
                {"range": {"start": {"line": 0, "character": 6}, "end": position}, "text": ""},
                {"range": None, "text": None}, {"text": FAULTY}, {}, None,
            ):  # fmt: skip
                params = {"textDocument": {"uri": editor.uri("a.py"), "version": version}, "contentChanges": [change]}
                editor.notify("textDocument/didChange", params)
    editor.notify(
        "textDocument/didChange",
        {"textDocument": {"uri": editor.uri("closed.py"), "version": 1}, "contentChanges": [{"text": "x"}]},
    )
    editor.notify("textDocument/didClose", {"textDocument": {"uri": editor.uri("closed.py")}})
    editor.alive()


def test_a_storm_of_cancellations_loses_no_answer(editor: Editor) -> None:
    """Each request has one answer, also if it is cancelled before, during, after, twice, or was never made."""
    editor.open("a.py", FAULTY * 50)
    numbers = []
    for turn in range(200):
        edit = {
            "textDocument": {"uri": editor.uri("a.py"), "version": turn + 2},
            "contentChanges": [{"text": FAULTY + f"# {turn}\n"}],
        }
        editor.notify("textDocument/didChange", edit)
        editor.notify("$/cancelRequest", {"id": editor.next + 1})
        numbers.append(editor.request("textDocument/diagnostic", {"textDocument": {"uri": editor.uri("a.py")}}))
        editor.notify("$/cancelRequest", {"id": numbers[-1]})
        editor.notify("$/cancelRequest", {"id": numbers[turn // 2]})
        for odd in (None, [], {}, "x", -1, 10**400):
            editor.notify("$/cancelRequest", {"id": odd})
    for number in numbers:
        editor.answer(number)
    assert len({message["id"] for message in editor.seen if "method" not in message}) == len(
        [m for m in editor.seen if "method" not in m]
    )
    editor.alive()


def test_notifications_of_every_wrong_kind(editor: Editor) -> None:
    """A notification that cannot be understood is passed by."""
    methods = ("textDocument/didOpen", "textDocument/didChange", "textDocument/didSave", "textDocument/didClose", "workspace/didChangeWatchedFiles",
               "workspace/didChangeConfiguration", "workspace/didChangeWorkspaceFolders", "notebookDocument/didOpen", "notebookDocument/didChange", "notebookDocument/didClose", "$/setTrace", "initialized")  # fmt: skip
    deep: object = []
    for _ in range(300):
        deep = [deep]
    folders = [{"uri": uri, "name": "\n::error::"} for uri in URIS]
    for method in methods:
        for params in (
            None,
            [],
            {},
            3,
            {"textDocument": None},
            {"changes": [{"uri": None}]},
            {"settings": deep},
            {"event": {"added": folders, "removed": folders}},
        ):
            editor.notify(method, params)
    editor.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": uri, "type": 9} for uri in URIS]})
    editor.alive()


SETTINGS: tuple[object, ...] = (
    {"configuration": {"max-steps": 10**4000}}, {"configuration": "/dev/zero"}, {"configuration": "/proc/self/mem"}, {"configuration": [[]]},
    {"select": {"a": 1}}, {"ignore": [None]}, {"enable": "no"}, {"interpreter": ["/bin/sh", "-c", "touch executed"]}, {"inlayHints": 7},
    {"configuration": {"ranges": {"*a" * 5000: "[0, 1]"}}}, {"configuration": {"baseline": "\0"}}, {"configuration": {"cache-dir": "/"}}, [], "x", 3,
)  # fmt: skip


def test_settings_of_every_wrong_kind(editor: Editor) -> None:
    """Settings that do not hold are told; the server goes on."""
    for settings in SETTINGS:
        if isinstance(settings, dict) and "enable" in settings:
            continue
        editor.notify("workspace/didChangeConfiguration", {"settings": {"dllint": settings}})
        editor.open("c.py", FAULTY)
        editor.ask("textDocument/diagnostic", {"textDocument": {"uri": editor.uri("c.py")}})
    editor.notify("workspace/didChangeConfiguration", {"settings": {"dllint": {}}})
    editor.alive()
    assert not (editor.folder / "executed").exists()


def framed(content: bytes, header: bytes = b"") -> bytes:
    """A message whose length is right."""
    return header + b"Content-Length: %d\r\n\r\n" % len(content) + content


RAW: dict[str, bytes] = {
    "no_json": framed(b"{{{"),
    "no_utf_8": framed(b"\xff\xfe\xff\xfe"),
    "deep": framed(b"[" * 200_000),
    "batch": framed(b'[{"jsonrpc":"2.0","id":1},{}]'),
    "number": framed(b"9" * 5000),
    "number_within": framed(b'{"jsonrpc":"2.0","method":"x","params":[' + b"9" * 5001 + b"]}"),
    "number_of_request": framed(b'{"jsonrpc":"2.0","id":' + b"9" * 5001 + b',"method":"textDocument/hover","params":{}}'),
    "nan": framed(b'{"jsonrpc":"2.0","method":"x","params":[NaN]}'),
    "zero": framed(b""),
    "strange_type": framed(b"{}", b"Content-Type: a; charset=undefined\r\n"),
    "answer_to_nothing": framed(b'{"jsonrpc":"2.0","id":999,"result":null}'),
    "method_of_number": framed(b'{"jsonrpc":"2.0","id":5000,"method":12}'),
    "lone_surrogate": framed(b'{"jsonrpc":"2.0","id":"\\ud800","method":"textDocument/hover","params":{"\\ud800":"\\ud800"}}'),
}


def test_bytes_that_are_no_message(editor: Editor) -> None:
    """A message that cannot be read costs only itself."""
    for content in RAW.values():
        editor.raw(content)
        editor.alive()


DOCUMENTS = {
    "text_annotation_deep": "import torch\ndef g(x: '" + "(" * 5000 + "'): ...\n",
    "many_digits": "import torch\nx = 0x" + "f" * 4000 + "\ntorch.ones(3).view(x)\n",
    "nul": "import torch\0\n" + FAULTY,
    "lone_surrogate": "x = '\ud800'\n" + FAULTY,
    "separators": "x = '\u2028\u2029\x0c\x85'\r" + FAULTY,
    "long_line": "import torch\nx = [" + "1," * 100_000 + "]\n",
    "wide": "import torch\n" + "\U0001f600" * 100_000,
    "too_large": "#" * 3_000_000 + "\nimport torch\n",
    "many_lines": "\n" * 60_000 + FAULTY,
    "long_import": "import torch\nimport " + ".".join(["a"] * 3000) + "\n",
}


def shown(editor: Editor, name: str, text: str, *, deadline: float = DEADLINE) -> None:
    """Open a document and wait for all answers about it."""
    editor.open(name, text)
    here = {"textDocument": {"uri": editor.uri(name)}}
    start, end = {"line": 0, "character": 0}, {"line": 9, "character": 0}
    numbers = [
        editor.request("textDocument/diagnostic", here),
        editor.request("textDocument/hover", here | {"position": {"line": 2, "character": 3}}),
        editor.request("textDocument/inlayHint", here | {"range": {"start": start, "end": end}}),
    ]
    for number in numbers:
        editor.answer(number, deadline)


def test_hostile_documents_do_not_end_the_server(editor: Editor) -> None:
    """The server answers about every document, and goes on with the others."""
    (editor.folder / "dllint.toml").write_text("max-seconds = 3\n")
    (editor.folder / "a").mkdir()
    (editor.folder / "a" / "__init__.py").write_text("")
    for name, text in DOCUMENTS.items():
        shown(editor, f"{name}.py", text)
        editor.alive()


def test_a_long_annotation_does_not_keep_the_server(editor: Editor) -> None:
    """ "A file that takes more than `max-seconds` of CPU time ... is stopped there", in the editor, too."""
    (editor.folder / "dllint.toml").write_text("max-seconds = 1\n")
    text = "import torch\ndef g(x: '" + " | ".join(["int"] * 8000) + "'):\n    return torch.ones(x)\n"
    shown(editor, "a.py", text, deadline=8)


def test_hostile_files_beside_the_document(editor: Editor) -> None:
    """Files of the checkout that the server reads by itself do not end it either."""
    digits = "9" * 5000
    (editor.folder / "requirements.txt").write_text(f"torch=={digits}\n-r requirements.txt\n")
    (editor.folder / "dllint.toml").write_text(f"max-steps = {digits}\n")
    (editor.folder / "n.ipynb").write_text(f'{{"cells": [], "nbformat": {digits}}}')
    editor.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": editor.uri("dllint.toml"), "type": 2}]})
    editor.open("a.py", "import n\n" + FAULTY)
    editor.diagnostics("a.py")
    (editor.folder / "dllint.toml").unlink()
    editor.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": editor.uri("dllint.toml"), "type": 3}]})
    editor.alive()
