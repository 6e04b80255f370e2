"""Every request is answered, whatever its parameters are, and the server goes on."""

from __future__ import annotations

import pytest

NET = "import torch\nx = torch.ones(3)\nx.view(7)\n"
ASKING = (
    "textDocument/hover", "textDocument/codeAction", "textDocument/inlayHint", "textDocument/diagnostic", "codeAction/resolve",
    "workspace/executeCommand",
)  # fmt: skip
PLACE = {"line": 1, "character": 0}
PARAMETERS = {
    "nothing": {},
    "no object": [1, 2],
    "null": None,
    "a document that is no text": {"textDocument": {"uri": 3}, "position": PLACE},
    "a line below 0": {
        "position": {"line": -1, "character": 0},
        "range": {"start": {"line": -1, "character": -5}, "end": PLACE},
    },
    "a line behind the end": {
        "position": {"line": 10**6, "character": 10**6},
        "range": {"start": {"line": 10**6, "character": 0}, "end": {"line": 10**7, "character": 0}},
    },
    "a range that ends before it begins": {"position": PLACE, "range": {"start": {"line": 2, "character": 3}, "end": PLACE}},
    "numbers that are none": {"position": {"line": "a", "character": None}, "range": {"start": 1, "end": []}},
    "a command that is none": {"command": 5, "arguments": {"a": 1}, "title": 3, "data": [1]},
    "a command without arguments": {"command": "dllint.printProgram", "arguments": [], "title": "x", "data": {"a": 1}},
    "a line beyond all integers": {"position": {"line": 2**31, "character": 2**40}, "range": {"start": PLACE, "end": PLACE}},
}


@pytest.mark.parametrize("method", ASKING)
@pytest.mark.parametrize("known", [True, False])
def test_a_request_is_answered(client, tmp_path, method, known):
    uri = client.open(tmp_path / "net.py", NET) if known else (tmp_path / "unknown.py").as_uri()
    for parameters in PARAMETERS.values():
        if isinstance(parameters, dict):
            parameters = {"textDocument": {"uri": uri}, "context": {"diagnostics": []}, **parameters}
        answer = client.answer(client.ask(method, parameters), timeout=60)
        assert ("error" in answer) is not ("result" in answer)
    open_ = client.open(tmp_path / "other.py", NET)
    assert [found["code"] for found in client.pull(open_)["items"]] == ["DLT105"]


@pytest.mark.parametrize("given", [{}, {"arguments": None}, {"arguments": [None]}, {"arguments": [""]}])
def test_a_command_needs_no_arguments(client, given):
    sent = len(client.sent("window/logMessage"))
    answer = client.answer(client.ask("workspace/executeCommand", {"command": "dllint.printProgram", **given}))
    assert answer["result"] == ""
    assert not [told for told in client.sent("window/logMessage")[sent:] if told["params"]["type"] == 1]
