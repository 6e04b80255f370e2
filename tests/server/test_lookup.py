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


@pytest.mark.parametrize(
    ("layer", "shown"),
    [
        ("layers.Conv2D(16, 3, activation='relu')", "keras.layers.Conv2D(filters=16, kernel_size=3, activation='relu')"),
        ("layers.Conv2D(filters=2 * 8, kernel_size=3)", "keras.layers.Conv2D(filters=16, kernel_size=3)"),
        ("layers.Dense(units=10, use_bias=False)", "keras.layers.Dense(units=10, use_bias=False)"),
        ("layers.ReLU()", "keras.layers.ReLU()"),
        ("nn.Conv2d(1, 16, 5, bias=False)", "torch.nn.Conv2d(in_channels=1, out_channels=16, kernel_size=5, bias=False)"),
    ],
)
def test_a_layer_is_told_in_the_words_of_its_library(client, tmp_path, layer, shown):
    text = f"from keras import layers\nfrom torch import nn\n\nlayer = {layer}\n"
    uri = client.open(tmp_path / "layer.py", text)
    client.pull(uri)
    client.request("workspace/executeCommand", {"command": "dllint.printProgram", "arguments": [uri]})
    assert f"layer = {shown}\n" in hover(client, uri, position(text, "layer ="))["contents"]["value"]


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


@pytest.mark.parametrize("end", ["\r\n", "\n"])
@pytest.mark.parametrize("mark", ["", "\ufeff"])
@pytest.mark.parametrize("above", ["", "# ü𝕏\n", 'note = """𝕏\n\n𝕏"""\n'])
@pytest.mark.parametrize("before", ["", "s = 'ü'; "])
def test_hints_stand_behind_their_names_whatever_ends_lines(connect, tmp_path, end, mark, above, before):
    client = connect(cwd=tmp_path, settings={"inlayHints": {"shapes": True}})
    client.start(tmp_path)
    text = f"import torch\n{above}if True:\n    {before}width = torch.zeros(3, 4)\n    depth = width.T\n"
    uri = client.open(tmp_path / "net.py", mark + text.replace("\n", end))
    client.pull(uri)
    client.request("workspace/executeCommand", {"command": "dllint.printProgram", "arguments": [uri]})
    range_ = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    hints = client.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": range_})
    behind = [(position(text, f"{name} ="), len(name), shape) for name, shape in (("width", "3, 4"), ("depth", "4, 3"))]
    assert [(hint["position"], hint["label"]) for hint in hints] == [
        ({**start, "character": start["character"] + length}, f": f32[{shape}]") for start, length, shape in behind
    ]


@pytest.mark.parametrize("parameters", [True, False])
def test_hints_of_parameters_can_be_left_out(connect, tmp_path, parameters):
    text = "import torch\n\n\ndef double(x):\n    y = 2 * x\n    return y\n\n\nprint(double(torch.zeros(3, 4)))\n"
    client = connect(cwd=tmp_path, settings={"inlayHints": {"shapes": True, "parameters": parameters}})
    client.start(tmp_path)
    uri = client.open(tmp_path / "net.py", text)
    client.pull(uri)
    client.request("workspace/executeCommand", {"command": "dllint.printProgram", "arguments": [uri]})
    range_ = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    hints = client.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": range_})
    assert [hint["position"]["line"] for hint in hints] == ([3, 4] if parameters else [4])


def test_hints_are_off_by_default(client, uri):
    range_ = {"start": {"line": 0, "character": 0}, "end": {"line": 9, "character": 0}}
    assert client.request("textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": range_}) == []


def test_the_program_can_be_looked_at(client, uri):
    text = client.request("workspace/executeCommand", {"command": "dllint.printProgram", "arguments": [uri]})
    assert "f32[8, 16, 24, 24] = conv(" in text


BLOCKS = """\
import torch
from torch import nn


class {block}(nn.Module):
    def __init__(self, i, o):
        super().__init__()
        self.{inner} = nn.Sequential(nn.Conv2d(i, o, 3, padding=1), nn.BatchNorm2d(o), nn.ReLU())

    def forward(self, x):
        b, c, h, w = x.shape
        result = self.{inner}(x)
        return result


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.first = {block}(3, 8)
        self.second = {block}(8, 16)

    def forward(self, x):
        return self.second(self.first(x))


model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 2))
out = model(torch.randn(3, 4))  # noqa: DLT101
net = Net()
scores = net(torch.randn(2, 3, 32, 32))
"""


@pytest.mark.parametrize(("block", "inner"), [("Block", "conv"), ("Residual", "body")])
def test_a_name_shows_what_its_call_gives_and_modules_their_total(client, tmp_path, block, inner):
    text = BLOCKS.format(block=block, inner=inner)
    uri = client.open(tmp_path / "blocks.py", text)
    client.pull(uri)
    client.request("workspace/executeCommand", {"command": "dllint.printProgram", "arguments": [uri]})

    def shown(where):
        return hover(client, uri, position(text, where))["contents"]["value"]

    assert shown("out = model") == "```python\nout: f32[3, 2]\n```"
    assert shown("model = nn") == "```python\nmodel = torch.nn.Sequential\n```\n\n58 parameters"
    assert shown("net = Net") == "```python\nnet = Net\n```\n\n1,440 parameters"
    called = "Called with `f32[2, 3, 32, 32]`, gives `f32[2, 16, 32, 32]`"
    assert shown("Net(nn") == f"```python\nclass Net\n```\n\n1,440 parameters\n\n{called}"
    assert "240 parameters\n\n1,200 parameters" in shown(f"{block}(nn")
    several = shown("result = self")
    assert several.startswith("```python\nresult: f32[2, C, 32, 32]\n# of its calls:\nresult: f32[2, 8, 32, 32]")
    assert shown("c, h, w").startswith("```python\nc: int = 3\nc: int = 8")
    assert "DLT101" in shown("DLT101")


ASKING = """\
from torch import nn


class {net}(nn.Module):
    def __init__(self, {a}, {b}, {h}):
        super().__init__()
        self.first, self.second = nn.Linear({a}, {b}), nn.Linear({b} * 2, {a})
        self.attention = nn.MultiheadAttention({a}, {h})
        self.gate = nn.Linear({a}, {b})

    def forward(self, x):
        x = x + self.attention(x, x, x)[0]
        return self.first(x) * self.gate(x), self.second(self.scaled(self.first(x)))

    def scaled(self, x):
        return {done}
"""


@pytest.mark.parametrize(("net", "a", "b", "h"), [("Net", "dim", "hidden", "heads"), ("Block", "d_model", "d_ff", "n_head")])
def test_a_class_and_its_constructor_show_what_parameters_have_to_fulfil(client, tmp_path, net, a, b, h):
    text = ASKING.format(net=net, a=a, b=b, h=h, done="x.repeat(1, 1, 2)")
    uri = client.open(tmp_path / "asking.py", text)
    client.pull(uri)
    client.request("workspace/executeCommand", {"command": "dllint.printProgram", "arguments": [uri]})
    for where in (f"{net}(nn", "__init__(self, "):
        shown = hover(client, uri, position(text, where))["contents"]["value"]
        assert shown.startswith(f"```python\nclass {net}\n```")
        assert f"\n\nRuns only if `{a} % {h} == 0`\n\nCalled with " in shown


KERAS = """\
import keras

inputs = keras.Input((28, 28))
model = keras.Sequential([keras.layers.Flatten(), keras.layers.Dense(10)])
"""


def test_inputs_and_models_of_keras_are_known(client, tmp_path):
    text = f"{KERAS}scores = model(inputs)\n"
    uri = client.open(tmp_path / "dense.py", text)
    client.pull(uri)
    client.request("workspace/executeCommand", {"command": "dllint.printProgram", "arguments": [uri]})
    assert "inputs: f32[B, 28, 28]" in hover(client, uri, position(text, "inputs = "))["contents"]["value"]
    assert "7,850 parameters" in hover(client, uri, position(text, "model(inputs"))["contents"]["value"]
    assert "scores: f32[B, 10]" in hover(client, uri, position(text, "scores = "))["contents"]["value"]


#: What a module is called with and what it gives, by parameters, result and arguments: nothing is known of what is passed in.
OPAQUE = """\
import torch
from torch import nn


class Odd(nn.Module):
    def forward(self, {parameters}):
        return {result}


def run(batch):
    return Odd()({arguments})
"""
UNKNOWN_TENSOR = "a tensor of unknown shape and type"


@pytest.mark.parametrize(
    ("parameters", "result", "arguments", "told"),
    [
        ("x", "x.sum(), x", "batch", f"Called with {UNKNOWN_TENSOR}, gives `(?[], ?[...])`"),
        ("x, y", "x.abs(), y", "batch, torch.ones(3, 4)", "Called with `f32[3, 4]`, gives `(f32[3, 4])`"),
        ("x", "x.abs()", "torch.ones(3, 4)", "Called with `f32[3, 4]`, gives `f32[3, 4]`"),
        ("x", "x.abs()", "batch", ""),
    ],
)
def test_tensors_of_which_nothing_is_known_are_told_in_words(client, tmp_path, parameters, result, arguments, told):
    text = OPAQUE.format(parameters=parameters, result=result, arguments=arguments)
    uri = client.open(tmp_path / "odd.py", text)
    client.pull(uri)
    client.request("workspace/executeCommand", {"command": "dllint.printProgram", "arguments": [uri]})
    shown = hover(client, uri, position(text, "Odd(nn"))["contents"]["value"]
    assert "`?[...]`" not in shown
    assert told in shown
    assert ("Called" in shown) is bool(told)
