"""Hovers and inlay hints."""

from __future__ import annotations

import pytest

from tests.server.test_actions import position

NET = """\
import torch
from torch import nn

net = nn.Conv2d(1, 16, 5)
x = torch.randn(8, 1, 28, 28)
y = net(x)
z = y.flatten(1)  # dllint: ignore[DLT101]
"""


def hover(client, uri, where):
    return client.request("textDocument/hover", {"textDocument": {"uri": uri}, "position": where})


@pytest.fixture
def uri(client, tmp_path):
    uri = client.open(tmp_path / "net.py", NET)
    client.pull(uri)
    client.request("workspace/executeCommand", {"command": "dllint.printProgram", "arguments": [uri]})
    return uri


def test_a_name_and_an_expression_have_shape_and_dtype(client, uri):
    assert hover(client, uri, position(NET, "y = net"))["contents"] == {
        "kind": "markdown",
        "value": "```python\ny: f32[8, 16, 24, 24]\n```",
    }
    assert "net(x) -> f32[8, 16, 24, 24]" in hover(client, uri, position(NET, "(x)"))["contents"]["value"]
    found = hover(client, uri, position(NET, "x)"))
    assert "x: f32[8, 1, 28, 28]" in found["contents"]["value"]
    assert found["range"]["start"] == position(NET, "x)")


LOSS = """\
import torch


def loss(x, y):  # dllint: range y in (0, 1]
    p = torch.sigmoid(x)
    return torch.log(p + 1e-3) + y * x
"""


def test_numbers_have_their_range_with_its_origin(client, tmp_path):
    uri = client.open(tmp_path / "loss.py", LOSS)
    client.pull(uri)
    client.request("workspace/executeCommand", {"command": "dllint.printProgram", "arguments": [uri]})
    found = [hover(client, uri, position(LOSS, where))["contents"]["value"] for where in ("p = torch", "p + 1e-3", "y * x")]
    assert "p: ?[...] in [0, 1] (derived)" in found[0]
    assert "p + 1e-3 -> ?[...] in [0.001, 1.001] (derived)" in found[1] or "p: ?[...] in [0, 1] (derived)" in found[1]
    assert "y: ?[...] in (0, 1] (stated)" in found[2]


def test_a_layer_has_its_arguments(client, uri):
    text = hover(client, uri, position(NET, "net(x)"))["contents"]["value"]
    assert "torch.nn.Conv2d(in_channels=1, out_channels=16, kernel_size=5)" in text
    assert text.endswith("\n\n416 parameters")


def test_a_code_in_a_comment_has_the_page_of_its_rule(client, uri):
    assert hover(client, uri, position(NET, "DLT101"))["contents"]["value"].startswith("# DLT101: layer-feature-size-mismatch")


PAIR = """\
import torch


def attend(q, k: torch.Tensor, scale=None):
    w = (q @ k.transpose(-2, -1)).softmax(-1)
    q = w @ k
    return q, w


x = torch.randn(3, 8, 16)
a, b, c = x
out, weights = attend(a, b)
"""


def test_parameters_results_of_functions_and_parts_are_known(client, tmp_path):
    uri = client.open(tmp_path / "pair.py", PAIR)
    client.pull(uri)
    client.request("workspace/executeCommand", {"command": "dllint.printProgram", "arguments": [uri]})
    told = {part: hover(client, uri, position(PAIR, part))["contents"]["value"].splitlines()[1] for part in (
        "q, k: torch", "k: torch", "b, c", "out, weights", "weights = attend", "(a, b)",
    )}  # fmt: skip
    assert told == {
        "q, k: torch": "q: f32[8, 16] in [-9, 9] (derived)",
        "k: torch": "k: f32[8, 16] in [-9, 9] (derived)",
        "b, c": "b: f32[8, 16] in [-9, 9] (derived)",
        "out, weights": "out: f32[8, 16] in [-72, 72] (derived)",
        "weights = attend": "weights: f32[8, 8] in [0, 1] (derived)",
        "(a, b)": "attend(a, b) -> (f32[8, 16], f32[8, 8])",
    }


def test_of_what_is_no_tensor_nothing_is_said(client, uri):
    assert hover(client, uri, position(NET, "import")) is None


def test_a_broken_text_keeps_what_was_known(client, uri):
    client.edit(uri, 2, (3, 0), (3, 0), "def broken(:\n")
    assert client.pull(uri)["items"][0]["code"] == "syntax-error"
    where = {"line": 6, "character": 0}
    assert "y: f32[8, 16, 24, 24]" in hover(client, uri, where)["contents"]["value"]


def test_hints_are_shown_only_if_wanted(connect, tmp_path):
    client = connect(cwd=tmp_path, settings={"inlayHints": {"shapes": True}})
    client.start(tmp_path)
    uri = client.open(tmp_path / "net.py", NET)
    client.pull(uri)
    client.request("workspace/executeCommand", {"command": "dllint.printProgram", "arguments": [uri]})
    range_ = {"start": {"line": 0, "character": 0}, "end": {"line": 5, "character": 99}}
    hints = client.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": range_})
    assert [(hint["position"], hint["label"]) for hint in hints] == [
        ({"line": 4, "character": 1}, ": f32[8, 1, 28, 28]"),
        ({"line": 5, "character": 1}, ": f32[8, 16, 24, 24]"),
    ]


def test_hints_are_off_by_default(client, uri):
    range_ = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    assert client.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": range_}) == []


def test_the_program_can_be_looked_at(client, uri):
    text = client.request("workspace/executeCommand", {"command": "dllint.printProgram", "arguments": [uri]})
    assert "f32[8, 16, 24, 24] = conv(" in text
