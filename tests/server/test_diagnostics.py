"""Diagnostics: pulled or pushed, never both, of the newest text, with all an editor can show."""

from __future__ import annotations

import copy

from tests.server.strict_client import CAPABILITIES, FOLLOWED

NET = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(16, 10)

    def forward(self, x):
        return self.fc(x)


net = Net()
out = net(torch.randn(8, 12))
"""
FIXED = NET.replace("Linear(16", "Linear(12")


def pushing():
    capabilities = copy.deepcopy(CAPABILITIES)
    del capabilities["textDocument"]["diagnostic"]
    return capabilities


def test_who_pulls_is_not_pushed_to(client, tmp_path):
    (tmp_path / "net.py").write_text(NET)
    uri = client.open(tmp_path / "net.py")
    report = client.pull(uri)
    assert [item["code"] for item in report["items"]] == ["DLT101"]
    assert client.pull(uri, report["resultId"])["kind"] == "unchanged"
    client.replace(uri, 2, FIXED)
    assert client.pull(uri, report["resultId"])["items"] == []
    assert client.sent("textDocument/publishDiagnostics") == []


def test_who_cannot_pull_is_pushed_to(connect, tmp_path):
    client = connect(cwd=tmp_path)
    answer = client.start(tmp_path, pushing())
    assert "diagnosticProvider" not in answer["capabilities"]
    (tmp_path / "net.py").write_text(NET)
    uri = client.open(tmp_path / "net.py")
    assert [item["code"] for item in client.published(uri, 1)] == ["DLT101"]
    client.replace(uri, 2, FIXED)
    assert client.published(uri, 2) == []
    sent = len(client.messages)
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert client.published(uri, after=sent) == []


def test_a_diagnostic_tells_all_it_can(client, tmp_path):
    (tmp_path / "net.py").write_text(NET)
    item = client.pull(client.open(tmp_path / "net.py"))["items"][0]
    assert item["range"] == {"start": {"line": 10, "character": 15}, "end": {"line": 10, "character": 25}}
    assert item["severity"] == 1
    assert item["source"] == "dllint"
    assert item["codeDescription"]["href"].endswith("/layer-feature-size-mismatch.md")
    related = item["relatedInformation"][0]
    assert related["location"] == {
        "uri": (tmp_path / "net.py").as_uri(),
        "range": {"start": {"line": 7, "character": 18}, "end": {"line": 7, "character": 35}},
    }
    assert item["data"]["name"] == "layer-feature-size-mismatch"


def test_while_somebody_types_nothing_is_published(connect, tmp_path):
    client = connect(cwd=tmp_path)
    client.start(tmp_path, pushing())
    uri = client.open(tmp_path / "net.py", NET)
    client.published(uri, 1)
    for version in range(2, 30):
        client.replace(uri, version, NET + "#" * version)
    client.replace(uri, 30, FIXED)
    assert client.published(uri, 30) == []
    versions = [message["params"]["version"] for message in client.sent("textDocument/publishDiagnostics")]
    assert versions == sorted(versions)
    assert len(versions) <= 4


def test_a_pull_can_be_cancelled(client, tmp_path):
    uri = client.open(tmp_path / "net.py", NET)
    client.pull(uri)
    client.replace(uri, 2, FIXED)
    number = client.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    client.notify("$/cancelRequest", {"id": number})
    assert client.answer(number)["error"]["code"] == -32800
    assert client.pull(uri)["items"] == []


def test_a_file_that_is_closed_while_its_check_is_awaited_has_no_findings(client, tmp_path):
    uri = client.open(tmp_path / "net.py", NET)
    number = client.ask("textDocument/diagnostic", {"textDocument": {"uri": uri}})
    client.notify("textDocument/didClose", {"textDocument": {"uri": uri}})
    assert client.answer(number)["result"]["items"] == []


def test_a_hint_is_a_hint_and_can_be_hidden(connect, tmp_path):
    hint = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 4)

    def forward(self, x):
        return torch.relu(torch.relu(self.a(x)))


print(Net()(torch.ones(2, 4)))
"""
    shown = {}
    for hints in (True, False):
        client = connect(cwd=tmp_path, settings={"hints": hints, "configuration": {"severity": {"DLS202": "hint"}}})
        client.start(tmp_path)
        shown[hints] = [
            (item["code"], item["severity"]) for item in client.pull(client.open(tmp_path / "net.py", hint))["items"]
        ]
    assert shown == {True: [("DLS202", 4)], False: []}


IMPORTED = """\
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(8, 4)
        self.b = nn.Linear(5, 2)

    def forward(self, x):
        return self.b(self.a(x))
"""
IMPORTING = "import torch\nfrom net import Net\n\ny = Net()(torch.zeros(2, 8))\n"


def test_what_is_wrong_in_another_file_is_shown_at_the_call(client, tmp_path):
    (tmp_path / "net.py").write_text(IMPORTED)
    uri = client.open(tmp_path / "main.py", IMPORTING)
    (item,) = client.pull(uri)["items"]
    assert item["range"]["start"] == {"line": 3, "character": 4}
    inner = item["relatedInformation"][0]
    assert (inner["message"], inner["location"]["uri"]) == ("it happens here", (tmp_path / "net.py").as_uri())
    assert inner["location"]["range"]["start"]["line"] == 10
    own = client.open(tmp_path / "net.py", IMPORTED)
    (item,) = client.pull(own)["items"]
    assert item["range"]["start"]["line"] == 10


def test_the_comment_that_is_offered_at_the_call_silences_it(client, tmp_path):
    (tmp_path / "net.py").write_text(IMPORTED)
    uri = client.open(tmp_path / "main.py", IMPORTING)
    items = client.pull(uri)["items"]
    context = {"diagnostics": items, "triggerKind": 1, "only": ["quickfix"]}
    params = {"textDocument": {"uri": uri}, "range": items[0]["range"], "context": context}
    (action, _) = client.request("textDocument/codeAction", params)
    (edit,) = action["edit"]["documentChanges"][0]["edits"]
    assert edit["range"]["start"]["line"] == 3
    lines = IMPORTING.splitlines()
    lines[3] += edit["newText"]
    client.replace(uri, 2, "\n".join(lines) + "\n")
    assert client.pull(uri)["items"] == []


def test_message_and_advice_are_two_lines(client, tmp_path):
    (item,) = client.pull(client.open(tmp_path / "net.py", NET))["items"]
    fact, advice = item["message"].splitlines()
    assert fact.startswith("`self.fc` expects 16 input features")
    assert advice.startswith("set in_features=12")


def followed(client, uri, version=1):
    def told(message):
        params = message.get("params") or {}
        return message.get("method") == FOLLOWED and (params["uri"], params["version"]) == (uri, version)

    return client.wait(told)["params"]


def test_who_wants_to_know_learns_what_the_findings_rest_on(connect, tmp_path):
    client = connect(cwd=tmp_path)
    client.start(tmp_path, {**CAPABILITIES, "experimental": {"dllintFollowed": True}})
    uri = client.open(tmp_path / "net.py", NET)
    client.pull(uri)
    told = followed(client, uri)
    assert (told["text"], told["share"]) == ("Followed 1 model, shapes of all operations.", 1.0)
    client.replace(uri, 2, "import jax\nimport flax\n")
    client.pull(uri)
    told = followed(client, uri, 2)
    assert told["share"] is None
    assert told["text"] == "Found no tensor code; 1 file uses flax and 1 jax, which dllint does not know."


def test_who_does_not_want_to_know_is_not_told(client, tmp_path):
    uri = client.open(tmp_path / "net.py", NET)
    client.pull(uri)
    client.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": {"line": 10, "character": 16}})
    assert client.sent(FOLLOWED) == []
