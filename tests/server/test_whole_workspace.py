"""Files that are not open: `workspace/diagnostic`, and the command that checks the workspace."""

from __future__ import annotations

import copy
import json
from pathlib import Path

from lsprotocol import converters
from lsprotocol import types as lsp

from tests.server.strict_client import CAPABILITIES
from tests.server.test_diagnostics import NET

GOOD = NET.replace("16", "12")
HELPER = "import torch\n\n\ndef joined(x):\n    return x @ torch.zeros(4, 5)\n"
CALLER = "import torch\nfrom helper import joined\n\njoined(torch.zeros(2, 3))\n"
_CONVERTER = converters.get_converter()


def folder(path: Path, **files: str) -> Path:
    path.mkdir(exist_ok=True)
    (path / "pyproject.toml").write_text("[tool.dllint]\n")
    for name, text in files.items():
        (path / f"{name}.py").write_text(text)
    return path


def start(connect, *roots: Path, options=None, capabilities=CAPABILITIES, **named):
    client = connect(cwd=roots[0], **named)
    folders = [{"uri": root.as_uri(), "name": root.name} for root in roots]
    answer = client.start(roots[0], capabilities, options, workspaceFolders=folders)
    return client, answer["capabilities"]


def everywhere(connect, *roots: Path, **named):
    return start(connect, *roots, options={"diagnosticMode": "workspace"}, settings={"diagnosticMode": "workspace"}, **named)


def asked(client, previous=(), token=None):
    params = {"identifier": "dllint", "previousResultIds": [{"uri": u, "value": v} for u, v in previous]}
    return client.ask("workspace/diagnostic", params | ({"partialResultToken": token} if token else {}))


def pulled(client, previous=(), token=None):
    """The reports by file name: codes; and the identifiers by address."""
    items = client.answer(asked(client, previous, token))["result"]["items"]
    return named(items), {item["uri"]: item["resultId"] for item in items}


def named(items):
    return {Path(item["uri"]).name: [found["code"] for found in item["items"]] for item in items}


def told(client, path, kind=2):
    client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": path.as_uri(), "type": kind}]})


def test_an_editor_that_pulls_is_told_what_is_new_in_all_folders(connect, tmp_path):
    one = folder(tmp_path / "one", bad=NET, good=GOOD, helper=HELPER, caller=CALLER, **{f"net{n:02}": GOOD for n in range(14)})
    two = folder(tmp_path / "two", worse=NET, skipped=NET)
    (two / "pyproject.toml").write_text("[tool.dllint]\nextend-exclude = ['skipped.py']\n")
    client, capabilities = everywhere(connect, one, two)
    assert capabilities["diagnosticProvider"]["workspaceDiagnostics"] is True

    taken_back = asked(client)
    client.notify("$/cancelRequest", {"id": taken_back})
    assert client.answer(taken_back)["error"]["code"] == lsp.LSPErrorCodes.RequestCancelled
    found, known = pulled(client)
    assert found == {"bad.py": ["DLT101"], "helper.py": ["DLT109"], "worse.py": ["DLT101"]}

    held = asked(client, known.items())  # there is nothing new, so it waits
    (one / "bad.py").write_text(GOOD)
    (one / "good.py").write_text(NET)
    told(client, one / "bad.py")
    told(client, one / "good.py")
    items = client.answer(held)["result"]["items"]
    assert named(items) == {"bad.py": [], "good.py": ["DLT101"]}
    known |= {item["uri"]: item["resultId"] for item in items}

    uri = client.open(two / "worse.py")  # the editor asks about it by itself
    assert [item["code"] for item in client.pull(uri)["items"]] == ["DLT101"]
    (one / "helper.py").unlink()
    told(client, one / "helper.py", kind=3)
    assert pulled(client, known.items())[0] == {"helper.py": []}

    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert pulled(client, token="parts")[0] == {}  # all of it comes before the answer
    parts = [message["params"]["value"] for message in client.sent("$/progress")]
    for part in parts:
        _CONVERTER.structure(json.loads(json.dumps(part)), lsp.WorkspaceDiagnosticReportPartialResult)
    reports = [named(part["items"]) for part in parts]
    assert reports == [{"good.py": ["DLT101"]}, {"worse.py": ["DLT101"]}]


def test_the_command_shows_findings_until_a_file_changes(connect, tmp_path):
    one = folder(tmp_path / "one", bad=NET, **{f"net{n:02}": GOOD for n in range(16)})
    two, three, four = (folder(tmp_path / name, worse=NET) for name in ("two", "three", "four"))
    cell = {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None}
    cells = [{**cell, "source": ["import torch\n", "x = torch.zeros(2, 3)\n"]}, {**cell, "source": ["x @ x\n"]}]
    notebook = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}, indent=1)
    (one / "book.ipynb").write_text(notebook)
    settings = {"folders": {three.as_uri(): {"ignore": ["DLT101"]}, four.as_uri(): {"enable": False}}}
    capabilities = copy.deepcopy(CAPABILITIES)
    capabilities["window"] = {"workDoneProgress": True}
    client, offered = start(connect, one, two, three, four, capabilities=capabilities, settings=settings)
    assert offered["diagnosticProvider"]["workspaceDiagnostics"] is False
    command = {"command": "dllint.checkWorkspace"}

    number = client.ask("workspace/executeCommand", command)
    client.wait(lambda m: m.get("method") == "$/progress" and "16 of 20 files" in str(m))
    token = client.sent("window/workDoneProgress/create")[0]["params"]["token"]
    client.notify("window/workDoneProgress/cancel", {"token": token})
    assert client.answer(number)["result"] is None
    assert not client.sent("textDocument/publishDiagnostics")

    assert client.request("workspace/executeCommand", command) == {"files": 20, "findings": 3}
    bad, worse = (one / "bad.py").as_uri(), (two / "worse.py").as_uri()
    assert [item["code"] for item in client.published(bad)] == ["DLT101"]
    assert [item["code"] for item in client.published(worse)] == ["DLT101"]
    (in_cell,) = client.published((one / "book.ipynb").as_uri())
    assert "x @ x" in notebook.splitlines()[in_cell["range"]["start"]["line"]]
    assert client.sent("$/progress")[-1]["params"]["value"] == {"kind": "end", "message": "done"}
    (message,) = client.sent("window/showMessage")
    assert message["params"]["message"] == "dllint: 3 findings in 3 files, 20 closed files checked"

    sent = len(client.messages)
    told(client, two / "worse.py")
    assert client.published(worse, after=sent) == []
    client.open(one / "bad.py")
    assert client.published(bad, after=sent) == []
