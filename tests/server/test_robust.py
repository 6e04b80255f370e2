"""What must not end or confuse the conversation: prints, faults, deaths, odd messages, odd files."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.server.strict_client import COMMAND, Client, ProtocolError
from tests.server.test_diagnostics import FIXED, NET, pushing

LAUNCHER = (sys.executable, str(Path(__file__).with_name("launcher.py")), "server")


@pytest.fixture
def misbehaving(connect, tmp_path, monkeypatch):
    def start(deeds, **named):
        monkeypatch.setenv("MISBEHAVING", deeds)
        client = connect(LAUNCHER, cwd=tmp_path)
        client.start(tmp_path, **named)
        return client

    return start


def codes(report):
    return [item["code"] for item in report["items"]]


def test_what_a_rule_prints_goes_to_standard_error(misbehaving, tmp_path):
    client = misbehaving("DLT101:print")
    uri = client.open(tmp_path / "net.py", NET)
    assert codes(client.pull(uri)) == ["DLT101"]
    client.stop()
    told = b"".join(client.errors)
    assert b"from a rule" in told
    assert b"from a child process" in told
    assert b"straight to the descriptor" in told


def test_a_rule_that_raises_is_logged_and_the_others_go_on(misbehaving, tmp_path):
    client = misbehaving("DLS102:raise,DLS110:raise")
    uri = client.open(tmp_path / "net.py", NET)
    assert codes(client.pull(uri)) == ["DLT101"]
    logged = [message["params"] for message in client.sent("window/logMessage")]
    assert any("a faulty rule" in entry["message"] and entry["type"] <= 2 for entry in logged)


def test_a_death_of_the_analysis_is_survived(misbehaving, tmp_path):
    client = misbehaving("DLL101:die")
    uri = client.open(tmp_path / "net.py", FIXED + "loss = nn.functional.cross_entropy(out, out)\n")
    assert codes(client.pull(uri)) == []
    client.replace(uri, 2, FIXED)
    assert codes(client.pull(uri)) == []
    logged = [message["params"]["message"] for message in client.sent("window/logMessage")]
    assert any("the analysis process has died" in entry for entry in logged)
    client.request("workspace/executeCommand", {"command": "dllint.printProgram", "arguments": [uri]})
    assert client.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 10, "character": 16}})


def test_an_analysis_that_does_not_end_is_ended(misbehaving, tmp_path):
    client = misbehaving("DLL101:hang")
    uri = client.open(tmp_path / "net.py", FIXED + "loss = nn.functional.cross_entropy(out, out)\n")
    assert codes(client.pull(uri)) == []
    client.replace(uri, 2, NET)
    assert codes(client.pull(uri)) == ["DLT101"]
    logged = [message["params"]["message"] for message in client.sent("window/logMessage")]
    assert any("the analysis does not end" in entry for entry in logged)


def test_the_strict_client_sees_what_stands_outside_a_frame(tmp_path):
    program = "print('hello', flush=True)"
    client = Client((sys.executable, "-c", program), cwd=tmp_path)
    with pytest.raises(ProtocolError, match="outside a frame"):
        client.wait(lambda message: False)
    client.process.wait(10)


def test_a_broken_message_is_skipped(client, tmp_path):
    client.send_bytes(b"Content-Length: 5\r\n\r\n{oops")
    client.send_bytes(b"Content-Length: 2\r\n\r\n{}")
    client.send({"method": "textDocument/didChange", "params": {"nothing": "fits"}})
    client.send({"method": "no/suchNotification", "params": {}})
    client.edit((tmp_path / "never_opened.py").as_uri(), 3, (0, 0), (0, 0), "x")
    answer = client.answer(client.ask("textDocument/rename", {
        "textDocument": {"uri": "file:///a.py"}, "position": {"line": 0, "character": 0}, "newName": "b"
    }))  # fmt: skip
    assert answer["error"]["code"] == -32601
    uri = client.open(tmp_path / "net.py", NET)
    assert codes(client.pull(uri)) == ["DLT101"]


@pytest.mark.parametrize("uri", ["untitled:Untitled-1", "vscode-notebook-cell:/a.ipynb#W0", "git:/a.py?x", "file://", "?"])
def test_what_is_no_file_is_left_alone(client, uri):
    item = {"uri": uri, "languageId": "python", "version": 1, "text": NET}
    client.notify("textDocument/didOpen", {"textDocument": item})
    assert client.pull(uri)["items"] == []
    where = {"textDocument": {"uri": uri}, "position": {"line": 7, "character": 10}}
    assert client.request("textDocument/hover", where) is None
    client.edit(uri, 2, (0, 0), (0, 0), "x")
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert client.pull(uri)["items"] == []


def test_odd_texts(client, tmp_path):
    huge = client.open(tmp_path / "huge.py", "import torch\n" + "x = 1\n" * 60_000)
    binary = client.open(tmp_path / "binary.py", "import torch\n\0\ud800\n")
    other = client.open(tmp_path / "readme.md", NET, language="markdown")
    empty = client.open(tmp_path / "empty.py", "")
    assert codes(client.pull(huge)) == []
    assert codes(client.pull(binary)) == ["syntax-error"]
    assert codes(client.pull(other)) == []
    assert codes(client.pull(empty)) == []
    assert any("max-file-lines" in message["params"]["message"] for message in client.sent("window/logMessage"))


def test_the_exit_status_tells_whether_goodbye_was_said(connect, tmp_path):
    polite = connect(cwd=tmp_path)
    polite.start(tmp_path)
    assert polite.stop() == 0
    rude = connect(cwd=tmp_path)
    rude.start(tmp_path)
    rude.notify("exit", None)
    assert rude.close() == 1


def test_the_end_of_input_is_the_end(connect, tmp_path):
    client = connect(cwd=tmp_path)
    client.start(tmp_path)
    client._outgoing.put(None)
    assert client.close() == 1


def test_the_server_and_its_analysis_do_not_outlive_the_editor(connect, tmp_path):
    editor = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
    client = connect(cwd=tmp_path)
    client.start(tmp_path, processId=editor.pid)
    client.pull(client.open(tmp_path / "net.py", NET))
    children = children_of(client.process.pid)
    assert children
    editor.kill()
    editor.wait()
    assert client.process.wait(15) == 1
    deadline = time.monotonic() + 10
    while any(is_running(child) for child in children) and time.monotonic() < deadline:
        time.sleep(0.1)
    assert not any(is_running(child) for child in children)


def children_of(process):
    path = Path(f"/proc/{process}/task/{process}/children")
    return [int(number) for number in path.read_text().split()] if path.exists() else []


def is_running(process):
    status = Path(f"/proc/{process}/stat")
    return status.exists() and status.read_text().rsplit(")", 1)[1].split()[0] != "Z"


def test_the_log_goes_to_a_file_too(connect, tmp_path):
    client = connect((*COMMAND, "--log-file", str(tmp_path / "log.txt"), "--log-level", "debug"), cwd=tmp_path)
    client.start(tmp_path)
    client.stop()
    assert "dllint" in (tmp_path / "log.txt").read_text()


def test_a_log_file_that_cannot_be_written_is_an_error(tmp_path):
    done = subprocess.run(
        [*COMMAND, "--log-file", str(tmp_path / "no" / "log.txt")], capture_output=True, check=False, input=b""
    )
    assert done.returncode == 2
    assert b"cannot run the server" in done.stderr
    assert done.stdout == b""


def test_pushing_survives_a_fault_in_the_settings(connect, tmp_path):
    (tmp_path / "pyproject.toml").write_text("[tool.dllint]\nselect = 3\n")
    client = connect(cwd=tmp_path)
    client.start(tmp_path, pushing())
    uri = client.open(tmp_path / "net.py", NET)
    assert client.published(uri) == []
    assert any("`select` must be" in message["params"]["message"] for message in client.sent("window/logMessage"))
    (tmp_path / "pyproject.toml").write_text("[tool.dllint]\nselect = ['DLT']\n")
    sent = len(client.messages)
    change = {"uri": (tmp_path / "pyproject.toml").as_uri(), "type": 2}
    client.notify("workspace/didChangeWatchedFiles", {"changes": [change]})
    assert len(client.published(uri, after=sent)) == 1


def test_the_server_itself_does_without_the_analysis():
    program = (
        "import sys; import dllint.server.serve, dllint.server.features, dllint.server.logs; "
        "sys.exit(bool({'libcst', 'dllint.lower', 'dllint.rules'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", program], cwd=Path(__file__).parents[2], check=False).returncode == 0


def test_the_program_needs_no_environment(tmp_path):
    body = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None,
                       "capabilities": {}}}).encode()  # fmt: skip
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(Path(__file__).parents[2])}
    done = subprocess.run(
        COMMAND, input=b"Content-Length: %d\r\n\r\n" % len(body) + body, capture_output=True, env=environment, cwd=tmp_path,
        check=False, timeout=120,
    )  # fmt: skip
    assert b'"positionEncoding": "utf-16"' in done.stdout


def test_a_log_file_that_cannot_be_written_is_named(tmp_path):
    log = tmp_path / "nowhere" / "server.log"
    done = subprocess.run([*COMMAND, "--log-file", str(log)], input="", capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert done.stderr.strip() == f"error: cannot run the server: {log}: No such file or directory"
    assert done.stdout == ""


@pytest.mark.parametrize("front", ["", "# one\n", '"""What it is for."""\n', "\n\n"])
def test_a_byte_order_mark_in_a_text_is_none_of_its_characters(connect, tmp_path, front):
    client = connect(cwd=tmp_path)
    client.start(tmp_path)
    uri = client.open(tmp_path / "net.py", "\ufeff" + front + NET)
    assert codes(client.pull(uri)) == ["DLT101"]
    client.replace(uri, 2, "\ufeff" + front + FIXED)
    assert codes(client.pull(uri)) == []
