"""The page that shows what a finding rests on."""

from __future__ import annotations

import copy
from urllib.parse import urlparse

from tests.server.strict_client import CAPABILITIES
from tests.server.test_notebooks import opened

NET = """\
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = nn.Linear(12, 20)  # <b>first</b>
        self.second = nn.Linear(16, 4)

    def forward(self, x):
        return self.second(self.first(x))


out = Net()(torch.randn(8, 12))
"""


def command(client, uri, pulled):
    """The command that shows why the only finding was found."""
    (item,) = pulled["items"]
    params = {"textDocument": {"uri": uri}, "range": item["range"], "context": {"diagnostics": [], "only": ["quickfix"]}}
    offered = client.request("textDocument/codeAction", params)
    (action,) = [action for action in offered if action["title"] == "Show why DLT101 was found"]
    return {"command": action["command"]["command"], "arguments": action["command"]["arguments"]}


def test_an_editor_that_shows_pages_gets_one(connect, tmp_path):
    capabilities = copy.deepcopy(CAPABILITIES) | {"experimental": {"dllintPages": True}}
    client = connect(cwd=tmp_path)
    client.start(tmp_path, capabilities)
    uri = client.open(tmp_path / "net.py", NET)
    asked = command(client, uri, client.pull(uri))
    page = client.request("workspace/executeCommand", asked)
    assert page["title"] == "dllint: net.py"
    text = page["html"]
    assert "<h1>DLT101: " in text
    assert "f32[8, 20]" in text
    assert "net.py:9" in text
    assert "&lt;b&gt;first&lt;/b&gt;" in text
    assert "<b>first" not in text
    assert "default-src 'none'" in text

    client.replace(uri, 2, NET + "\n")
    client.pull(uri)
    assert client.request("workspace/executeCommand", asked) is None
    assert "has changed" in client.sent("window/showMessage")[-1]["params"]["message"]
    assert (
        client.request("workspace/executeCommand", {"command": "dllint.showWhy", "arguments": ["file:///no.py", 1, 0]}) is None
    )

    cell, use = opened(client, tmp_path / "net.ipynb", (NET.split("\n\n\nout")[0], "out = Net()(torch.randn(8, 12))\n"))
    reports = {uri: client.pull(uri) for uri in (cell, use)}
    (place,) = [uri for uri, report in reports.items() if report["items"]]
    text = client.request("workspace/executeCommand", command(client, place, reports[place]))["html"]
    assert "net.ipynb:cell 1:9" in text


def test_another_editor_opens_it_elsewhere(connect, tmp_path):
    capabilities = copy.deepcopy(CAPABILITIES) | {"window": {"showDocument": {"support": True}}}
    client = connect(cwd=tmp_path)
    client.start(tmp_path, capabilities)
    uri = client.open(tmp_path / "net.py", NET)
    answer = client.request("workspace/executeCommand", command(client, uri, client.pull(uri)))
    (shown,) = client.sent("window/showDocument")
    assert shown["params"] == {"uri": answer["uri"], "external": True}
    with open(urlparse(answer["uri"]).path, encoding="utf-8") as page:
        assert "f32[8, 20]" in page.read()
