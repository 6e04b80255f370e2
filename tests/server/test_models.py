"""The outline of a file and the lenses above its models, over the protocol."""

from __future__ import annotations

import copy
import re
from contextlib import contextmanager
from itertools import product

import pytest

from tests.server.strict_client import CAPABILITIES, Client
from tests.server.test_notebooks import opened

TORCH = """\
import torch
from torch import nn


class {block}(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.{inner} = nn.Sequential(nn.Conv2d(c, c, 3, padding=1), nn.BatchNorm2d(c))

    def forward(self, x):
        return x + self.{inner}(x)


class {net}(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Conv2d(3, 16, 3, padding=1)
        self.blocks = nn.Sequential(*[{block}(16) for _ in range(3)])

    def forward(self, x):
        return self.blocks(self.stem(x))


small = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
{net}()(torch.randn(2, 3, 8, 8))
"""
TRAINING = """
optimizer = torch.optim.SGD(small.parameters(), lr=0.1)
for _ in range(3):
    loss = small(torch.randn(2, 4)).sum()
    loss.backward()
    optimizer.step()
"""
KERAS = """\
import keras
from keras import layers

inputs = keras.Input((28, 28, 1))
x = layers.Conv2D({filters}, 3)(inputs)
x = layers.Flatten()(x)
outputs = layers.Dense(10, name="head")(x)
{model} = keras.Model(inputs, outputs)
stack = keras.Sequential([layers.Input((4,)), layers.Dense(8), layers.Dense(3)])


class {sub}(keras.Model):
    def __init__(self):
        super().__init__()
        self.a = layers.Dense(5)
        self.b = layers.Dense(2)

    def call(self, x):
        return self.b(self.a(x))


{sub}()(keras.ops.ones((2, 7)))
"""
NAMES = [
    dict(zip(("block", "inner", "net"), names, strict=True)) for names in product(("Block", "Été"), ("net", "f"), ("Net", "N"))
]


@pytest.fixture(scope="module")
def client(tmp_path_factory):
    """A client with commands of its own; the tests of the module share its server."""
    root = tmp_path_factory.mktemp("folder")
    client = Client(cwd=root)
    own = ["dllint.showGraph", "dllint.showSummary", "dllint.diagnoseFile"]
    client.start(root, {**CAPABILITIES, "experimental": {"dllintCommands": own}})
    yield client
    assert client.stop() == 0


@contextmanager
def set_to(client, settings):
    """Other settings for some time."""
    usual = {"symbols": "models"}
    for now in (settings, usual):
        client.settings = now
        sent = len(client.messages)
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        client.wait(lambda message: message.get("method") == "workspace/codeLens/refresh", after=sent)
        if now is settings:
            yield


def known(client, uri):
    """Wait until the server knows the models of a file."""
    client.pull(uri)
    client.request("workspace/executeCommand", {"command": "dllint.printProgram", "arguments": [uri]})


def outline(client, uri):
    return client.request("textDocument/documentSymbol", {"textDocument": {"uri": uri}})


def lenses(client, uri):
    return client.request("textDocument/codeLens", {"textDocument": {"uri": uri}})


def source(text, range_):
    lines = text.splitlines(keepends=True)
    starts = [0]
    for line in lines:
        starts.append(starts[-1] + len(line))
    start, end = (starts[range_[at]["line"]] + range_[at]["character"] for at in ("start", "end"))
    return text[start:end]


def tree(symbols):
    return {one["name"]: tree(one["children"]) for one in symbols}


def check_ranges(symbols, around=None):
    for one in symbols:
        outer, inner = ([tuple(r[at].values()) for at in ("start", "end")] for r in (one["range"], one["selectionRange"]))
        assert outer[0] <= inner[0] <= inner[1] <= outer[1], one
        assert around is None or around[0] <= outer[0] <= outer[1] <= around[1], one
        check_ranges(one["children"], outer)


@pytest.mark.parametrize("names", NAMES)
def test_torch_models_have_their_layers(client, tmp_path, names):
    text = TORCH.format(**names)
    uri = client.open(tmp_path / "net.py", text)
    known(client, uri)
    symbols = outline(client, uri)
    inner = {f"{names['inner']}: Sequential": {"0: Conv2d": {}, "1: BatchNorm2d": {}}}
    assert tree(symbols) == {
        names["block"]: inner,
        names["net"]: {"stem: Conv2d": {}, "blocks: Sequential": {f"0: {names['block']} × 3": inner}},
        "small": {"0: Linear": {}, "1: ReLU": {}, "2: Linear": {}},
    }
    check_ranges(symbols)
    assert [source(text, one["selectionRange"]) for one in symbols] == [names["block"], names["net"], "small"]
    (stem, _) = symbols[1]["children"]
    assert source(text, stem["range"]) == "nn.Conv2d(3, 16, 3, padding=1)"
    assert stem["detail"] == (
        "in_channels=3, out_channels=16, kernel_size=3, padding=1 · out f32[2, 16, 8, 8] · 448 parameters"
    )


@pytest.mark.parametrize(("filters", "model", "sub"), [(16, "model", "Sub"), (4, "net", "Other")])
def test_keras_models_have_their_layers_in_its_own_words(client, tmp_path, filters, model, sub):
    text = KERAS.format(filters=filters, model=model, sub=sub)
    uri = client.open(tmp_path / "net.py", text)
    known(client, uri)
    symbols = outline(client, uri)
    assert tree(symbols) == {
        model: {"conv2d: Conv2D": {}, "flatten: Flatten": {}, "head: Dense": {}},
        "stack": {"dense: Dense": {}, "dense_1: Dense": {}},
        sub: {"a: Dense": {}, "b: Dense": {}},
    }
    check_ranges(symbols)
    conv = symbols[0]["children"][0]
    assert source(text, conv["range"]) == f"layers.Conv2D({filters}, 3)"
    assert conv["detail"].startswith(f"filters={filters}, kernel_size=3 · out f32[B, 26, 26, {filters}]")


def registered(message, after=()):
    """Whether a message registers outlines, under another number than before."""
    items = message["params"]["registrations"] if message.get("method") == "client/registerCapability" else ()
    return any(item["method"] == "textDocument/documentSymbol" and item["id"] not in after for item in items)


def test_an_outline_is_answered_at_once_and_offered_anew(client, tmp_path):
    client.wait(registered)
    sent = len(client.messages)
    uri = client.open(tmp_path / "net.py", TORCH.format(**NAMES[0]))
    assert outline(client, uri) == []
    known(client, uri)
    client.wait(lambda message: message.get("method") == "client/unregisterCapability", after=sent)
    client.wait(registered, after=sent)
    assert len(outline(client, uri)) == 3
    sent = len(client.messages)
    client.edit(uri, 2, (0, 0), (0, 0), "# A line more moves all places, but says nothing else.\n")
    outline(client, uri)
    known(client, uri)
    assert not any(registered(message) for message in client.messages[sent:])


def test_an_editor_that_registers_nothing_late_has_outlines_too(connect, tmp_path):
    able = copy.deepcopy(CAPABILITIES)
    able["textDocument"]["documentSymbol"] = {}
    client = connect(cwd=tmp_path)
    assert client.start(tmp_path, able)["capabilities"]["documentSymbolProvider"]
    uri = client.open(tmp_path / "net.py", TORCH.format(**NAMES[0]))
    known(client, uri)
    flat = outline(client, uri)
    assert {"name": "stem: Conv2d", "containerName": "Net"}.items() <= next(
        one.items() for one in flat if one["name"] == "stem: Conv2d"
    )


def test_functions_and_classes_stand_in_outlines_that_want_them(client, tmp_path):
    text = TORCH.format(**NAMES[0]) + "\n\ndef make():\n    '''é'''\n    return nn.Sequential(nn.Linear(2, 2))\n"
    with set_to(client, {"symbols": "all"}):
        uri = client.open(tmp_path / "net.py", text)
        names = {"Block": ["__init__", "forward"], "Net": ["__init__", "forward"], "make": []}
        assert {one["name"]: [part["name"] for part in one["children"]] for one in outline(client, uri)} == names
        known(client, uri)
        symbols = {one["name"]: one for one in outline(client, uri)}
    assert list(symbols) == ["Block", "Net", "small", "make"]
    assert list(tree(symbols["Net"]["children"])) == ["stem: Conv2d", "blocks: Sequential", "__init__", "forward"]
    assert tree(symbols["make"]["children"]) == {"Sequential": {"0: Linear": {}}}
    assert source(text, symbols["make"]["selectionRange"]) == "make"


@pytest.mark.parametrize("settings", [{"symbols": "off"}, {"enable": False}])
def test_an_outline_can_be_switched_off(client, tmp_path, settings):
    uri = client.open(tmp_path / "net.py", TORCH.format(**NAMES[0]))
    known(client, uri)
    with set_to(client, settings):
        assert outline(client, uri) == []


def test_edits_move_an_outline_before_the_next_check(client, tmp_path):
    text = TORCH.format(**NAMES[0])
    uri = client.open(tmp_path / "net.py", text)
    known(client, uri)
    client.edit(uri, 2, (0, 0), (0, 0), "# One more line.\n")
    moved = "# One more line.\n" + text
    assert [source(moved, one["selectionRange"]) for one in outline(client, uri)] == ["Block", "Net", "small"]


def titles(client, uri, text):
    return [(source(text, lens["range"]), lens["command"]["title"]) for lens in lenses(client, uri)]


def test_models_and_training_have_lenses(client, tmp_path):
    sent = len(client.messages)
    text = TORCH.format(**NAMES[0]) + TRAINING
    uri = client.open(tmp_path / "net.py", text)
    assert lenses(client, uri) == []
    known(client, uri)
    client.wait(lambda message: message.get("method") == "workspace/codeLens/refresh", after=sent)
    assert titles(client, uri, text) == [
        ("Block", "2,352 parameters · out f32[2, 16, 8, 8]"),
        ("Block", "Show graph"),
        ("Block", "Show summary"),
        ("Net", "7,504 parameters · out f32[2, 16, 8, 8]"),
        ("Net", "Show graph"),
        ("Net", "Show summary"),
        ("small", "58 parameters · out f32[2, 2]"),
        ("small", "Show graph"),
        ("small", "Show summary"),
        ("loss.backward()", "Diagnose"),
    ]
    commands = {lens["command"]["title"]: lens["command"] for lens in lenses(client, uri)}
    assert commands["Diagnose"] == {"title": "Diagnose", "command": "dllint.diagnoseFile", "arguments": [uri]}
    assert commands["Show graph"]["command"] == "dllint.showGraph"
    assert commands["Show summary"]["command"] == "dllint.showSummary"


def test_lenses_can_be_switched_off(client, tmp_path):
    text = "import torch\nfrom torch import nn\n\nsmall = nn.Sequential(nn.Linear(4, 8), nn.Linear(8, 2))\n" + TRAINING
    uri = client.open(tmp_path / "net.py", text)
    known(client, uri)
    shown = [title for _, title in titles(client, uri, text)]
    prefixes = {"models": "58 parameters", "graph": "Show graph", "summary": "Show summary", "diagnose": "Diagnose"}
    for setting, prefix in prefixes.items():
        for settings in ({"codeLens": {setting: False}}, {f"codeLens.{setting}": False}):
            with set_to(client, settings):
                assert [title for _, title in titles(client, uri, text)] == [t for t in shown if not t.startswith(prefix)]


def test_cells_have_outlines_and_lenses_of_their_own(client, tmp_path):
    cells = ["import torch\nfrom torch import nn\n", "a = 1\nnet = nn.Sequential(nn.Linear(3, 4))", "y = net(torch.ones(2, 3))"]
    uris = opened(client, tmp_path / "train.ipynb", cells)
    client.pull(uris[2])
    client.request("workspace/executeCommand", {"command": "dllint.printProgram", "arguments": [uris[1]]})
    assert [tree(outline(client, uri)) for uri in uris] == [{}, {"net": {"0: Linear": {}}}, {}]
    shown = ["16 parameters · out f32[2, 4]", "Show graph", "Show summary"]
    assert titles(client, uris[1], cells[1]) == [("net", title) for title in shown]


def graph(client, *arguments):
    return client.request("workspace/executeCommand", {"command": "dllint.graph", "arguments": list(arguments)})


def test_graphs_are_drawn_opened_and_closed(client, tmp_path):
    uri = client.open(tmp_path / "net.py", TORCH.format(**NAMES[0]))
    drawn = graph(client, uri, "Net")
    assert drawn["title"] == "Net"
    assert drawn["svg"].startswith("<svg ")
    assert "<style" not in drawn["svg"]
    assert ".diagram" in drawn["style"]
    assert "0: Block × 3" in drawn["svg"]
    assert 'data-line="17"' in drawn["svg"]
    assert graph(client, uri, "Net", [], ["m:"])["svg"] == drawn["svg"]  # the model itself stays open
    closed = graph(client, uri, "Net", [], ["m:blocks"])["svg"]
    assert "0: Block × 3" not in closed
    assert "3 parts, closed" in closed
    lens = next(one for one in lenses(client, uri) if one["range"]["start"]["line"] > 20 and "arguments" in one["command"])
    assert graph(client, *lens["command"]["arguments"])["title"] == "Sequential"
    assert graph(client, uri)["model"] == lens["command"]["arguments"][1]
    for wrong in ((), (3,), ("file:///none.py",), (uri, "None"), (uri, {}, 3, [4])):
        assert graph(client, *wrong) is None or wrong[1:2] == ({},)


def summary(client, *arguments):
    return client.request("workspace/executeCommand", {"command": "dllint.summary", "arguments": list(arguments)})


@pytest.mark.parametrize("names", NAMES[::9])
def test_models_are_listed_as_lenses_name_them(client, tmp_path, names):
    uri = client.open(tmp_path / "net.py", TORCH.format(**names))
    found = client.request("workspace/executeCommand", {"command": "dllint.models", "arguments": [uri]})
    offered = [one["command"]["arguments"] for one in lenses(client, uri) if one["command"]["title"] == "Show summary"]
    assert [[uri, one["model"]] for one in found] == offered
    assert [summary(client, uri, one["model"])["title"] for one in found][-2:] == [names["net"], "Sequential"]
    shown = {one["range"]["start"]["line"] for one in lenses(client, uri)}
    assert all(one["line"] in shown and one["name"] and "parameters" in one["detail"] for one in found)
    for wrong in ((), (3,), ("file:///none.py",)):
        assert client.request("workspace/executeCommand", {"command": "dllint.models", "arguments": list(wrong)}) == []


#: What is said of a row, its path and line.
ROW = re.compile(r'<tr role="row"[^>]* aria-label="([^"]*)"[^>]* data-key="([^"]*)"(?: data-line="(\d+)")?')


def rows(shown):
    """By the path of a module: the line of its row, and what is said of it."""
    found = ROW.findall(shown["table"])
    return {key: (line and int(line), said) for said, key, line in found}


@pytest.mark.parametrize("names", NAMES[::7])
def test_summaries_are_tables_whose_rows_lead_to_lines(client, tmp_path, names):
    text = TORCH.format(**names)
    uri = client.open(tmp_path / "net.py", text)
    shown = summary(client, uri, names["net"])
    assert shown["title"] == names["net"]
    assert ".treegrid" in shown["style"]
    assert 'role="treegrid"' in shown["table"]
    assert '<th scope="row">Parameters</th><td>7,504</td>' in shown["table"]
    found = rows(shown)
    assert found["blocks"][0] == 1 + text[: text.index("self.blocks =")].count("\n")
    assert found[f"blocks.0.{names['inner']}.0"][1].startswith("0: Conv2d; Input f32[2, 16, 8, 8]; Output f32[2, 16, 8, 8];")
    assert summary(client, uri)["model"].startswith("@")  # the last model of the file
    for wrong in ((), (3,), ("file:///none.py",), (uri, "None")):
        assert summary(client, *wrong) is None


def test_a_summary_marks_what_is_wrong_also_in_what_is_closed(client, tmp_path):
    stack = "nn.Sequential(nn.Sequential(nn.Sequential(nn.Sequential(nn.Linear(4, 8), nn.Linear(9, 2)))))"
    text = f"import torch\nfrom torch import nn\n\nnet = {stack}\nnet(torch.ones(2, 4))\n"
    uri = client.open(tmp_path / "net.py", text)
    shown = summary(client, uri)
    found = rows(shown)
    assert "wrong: DLT101 " in found["0.0.0.1"][1]
    assert "wrong" not in found["0.0.0.0"][1]
    assert found["0"][1].endswith("inside: DLT101")
    assert len(re.findall(r'aria-level="5"[^>]* hidden', shown["table"])) == 2
    client.replace(uri, 2, text.replace("(9", "(8"))
    assert "DLT101" not in summary(client, uri)["table"]


def test_names_in_a_summary_are_text(client, tmp_path):
    text = "from torch import nn\n\nnet = nn.Sequential()\nnet.add_module('<b onclick=1>', nn.Linear(4, 8))\n"
    table = summary(client, client.open(tmp_path / "net.py", text))["table"]
    assert "&lt;b onclick=1&gt;: Linear" in table
    assert "<b" not in table
