"""Diagnostics: pulled or pushed, never both, of the newest text, with all an editor can show."""

from __future__ import annotations

import copy

from tests.server.strict_client import CAPABILITIES

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
