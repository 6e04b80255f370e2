"""What messages call things: real names that can be told apart, expressions that are shortened but not torn, fitting hints."""

from __future__ import annotations

import ast
import itertools
import json
import re

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.finding import Finding
from dllint.rules.shortening import shortened
from tests.rules.harness import PATH, findings

EXPRESSIONS = (
    "text_features / text_features.norm(dim=1, keepdim=True)",
    "self.conv2(F.relu(self.conv1(x.permute(0, 3, 1, 2).contiguous())))",
    'Conv2D(32, (3, 3), activation="relu", padding="same", input_shape=(28, 28, 1))',
    "x.view(batch_size, num_channels, height, width).permute(0, 2, 1, 3).contiguous().view",
    "[self.block(x, y) for x, y in zip(self.many_of_them, self.others_of_them)]",
    "1 - (a - b) ** 2 / (some_long_name_of_sum - another_long_name_of_sum) * factor_of_all",
    "lambda q, k, v: torch.softmax(q @ k.transpose(-1, -2), -1) @ v",
    "first(of_this) if some_condition(of_this, or_that) else something_else(of, another, kind)",
    "{'a': first_value(of, this), 'b': second_value(of, that), **further_values}",
    "été.etwas(größe, dim=1)[:, None, : self.length_of_sequence].another_method(keepdim=True)",
    "mode == 'a' and (options.first == 'some' or options.second in ('x', 'y')) and other is not None and third > 5",
    "not (mode == 'b' and (options.first == 'a (long) text' and (options.second or third))) and mode != 'c'",
    "(len(first_of_all) > 0 or (len(second_of_all) > 0 and (third_of_all or fourth_of_all)))",
    "alpha < beta + gamma * delta(x, y, z) and not (epsilon or zeta(x)) or everything_else",
)


@pytest.mark.parametrize("text", EXPRESSIONS)
@pytest.mark.parametrize("longest", [16, 24, 32, 40, 48, 64, 200])
def test_a_shortened_expression_is_an_expression_of_the_same_names(text, longest):
    short = shortened(text, longest)
    ast.parse(short.replace(", ...)", ")"), mode="eval")
    assert len(short) <= max(longest, len(text) // 2)
    assert set(re.findall(r"\w{3,}", short)) <= set(re.findall(r"\w{3,}", text))
    assert short == text or len(text) > longest


def test_names_stay_whole():
    name = "torch.nn.functional.binary_cross_entropy_with_logits"
    assert shortened(name, 20) == name


def test_what_is_no_expression_ends_at_a_word():
    assert shortened("def forward(self, something, another): return", 30) == "def forward(self, ..."


def test_lines_are_joined():
    assert shortened("Dense(\n    8,\n    activation=None,\n)", 40) == "Dense(8, activation=None)"


def told(text: str, code: str) -> Finding:
    (found,) = (finding for finding in findings(text) if finding.code == code)
    return found


PAIRS = {
    "rebound": "x = nn.Linear(8, 64)\nlayers.append(x)\nx = nn.Linear(64, 64)\nlayers.append(x)",
    "same call": "a, b = 8, 64\nlayers.append(nn.Linear(a, b))\na = 64\nlayers.append(nn.Linear(a, b))",
    "in a function": "def add(x):\n    layers.append(x)\nx = nn.Linear(8, 64)\nadd(x)\nx = nn.Linear(64, 64)\nadd(x)",
}


@pytest.mark.parametrize("built", PAIRS)
def test_layers_of_one_name_are_told_apart_by_their_lines(built):
    head = "import torch\nfrom torch import nn\n\nlayers = []\n"
    text = f"{head}{PAIRS[built]}\nprint(nn.Sequential(nn.ReLU(), *layers)(torch.zeros(2, layers[0].in_features)))\n"
    message = told(text, "DLS201").message
    lines = [number for number, line in enumerate(text.splitlines(), 1) if "nn.Linear" in line]
    assert [int(line) for line in re.findall(r"\(line (\d+)\)", message)] == lines


def test_in_notebooks_lines_are_those_of_cells():
    cells = [
        "import torch\nfrom torch import nn\nlayers = []",
        "x = nn.Linear(8, 64)\nlayers.append(x)",
        "x = nn.Linear(64, 64)",
        "layers.append(x)\nprint(nn.Sequential(nn.ReLU(), *layers)(torch.zeros(2, 8)))",
    ]
    source = [{"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": cell} for cell in cells]
    data = json.dumps({"cells": source, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}).encode()
    result = Session(Configuration(isolated=True)).check_bytes(PATH.with_suffix(".ipynb"), data)
    (finding,) = result.findings
    assert re.findall(r"\((cell \d, line \d)\)", finding.message) == ["cell 2, line 1", "cell 3, line 1"]


@pytest.mark.parametrize("name", ["func", "f", "operation_of_choice"])
def test_a_variable_that_holds_a_function_is_called_by_the_function(name):
    text = f"import torch\n\n\ndef apply({name}, x):\n    return {name}(x, (7,))\n\n\napply(torch.reshape, torch.zeros(3))\n"
    assert told(text, "DLT105").message.startswith("`torch.reshape` ")


IMAGES = """\
import torch
from torch import nn

net = nn.Sequential({layers})
net(torch.randn(2, {channels}, {size}, {size}))
"""
#: Layers whose channels do not fit, whatever the size of the images.
CHANNELS = ("nn.Conv2d(3, 8, 3), nn.Conv2d(64, 8, 3)", "nn.Conv2d(3, 8, 3), nn.BatchNorm2d(64)", "nn.Conv2d(64, 8, 3)")
FLATTENED = "nn.Conv2d(3, 8, 3), nn.ReLU(), nn.Flatten(), nn.Linear(8 * 30 * 30, 10)"


@pytest.mark.parametrize(("layers", "size"), list(itertools.product(CHANNELS, (16, 66, 68))))
def test_nothing_is_said_of_image_sizes_where_channels_differ(layers, size):
    found = told(IMAGES.format(layers=layers, channels=3, size=size), "DLT101")
    assert "images" not in found.advice + found.message
    assert "channels" in found.message


@pytest.mark.parametrize("size", [16, 40, 66])
def test_the_right_image_size_is_told_where_it_decides(size):
    found = told(IMAGES.format(layers=FLATTENED, channels=3, size=size), "DLT101")
    assert f"is right for 32×32 images, these are {size}×{size}" in found.advice


@pytest.mark.parametrize("shape", ["(3,)", "(2, 3)", "(2, 3, 4)", "(2, 3, 4, 5)", "(2, 3, 4, 5, 6)"])
@pytest.mark.parametrize("written", ["nn.Softmax()(x)", "nn.LogSoftmax()(x)", "F.softmax(x)", "F.log_softmax(x)"])
def test_text_and_fix_name_the_same_axis_at_the_softmax(shape, written):
    text = f"import torch\nimport torch.nn.functional as F\nfrom torch import nn\n\nx = torch.randn{shape}\ny = {written}\n"
    found = told(text, "DLT121")
    (written_axis,) = re.findall(r"dim=(-?\d)", found.advice)
    assert found.fixes[0].message == f"Write dim={written_axis}"
    span = found.location.span
    assert text[span.start : span.end] == (written.removesuffix("(x)") if written.startswith("nn.") else written)


@pytest.mark.parametrize("layer", ["LayerNorm(8)", "BatchNorm1d(8)", "PReLU()", "Linear(8, 8)", "GroupNorm(2, 8)"])
def test_only_random_weights_are_called_random(layer):
    body = f"    def forward(self, x):\n        return nn.{layer}(x)\n\n\nNet()(torch.zeros(2, 8))\n"
    found = told(f"import torch\nfrom torch import nn\n\n\nclass Net(nn.Module):\n{body}", "DLS104")
    assert ("random weights" in found.message) == layer.startswith("Linear")


#: The first operand of a condition of many.
_HEADS = ("mode == 'a'", "not hasattr(x, 'values')", "kind in ('one', 'other')", "isinstance(mode, str)")
_RESTS = (
    " and (kind == 'something long' or kind == 'something else' or mode is None)",
    " or (mode is not None and kind != 'a') and not (kind == 'b' and mode == 'a text with (parentheses)')",
)


@pytest.mark.parametrize("rest", _RESTS)
@pytest.mark.parametrize("head", _HEADS)
@pytest.mark.parametrize("arm", ["if", "else"])
def test_conditions_in_messages_are_whole(arm, head, rest):
    fault = "torch.randn(3) @ torch.randn(4)"
    arms = (fault, "x") if arm == "if" else ("x", fault)
    text = f"import torch\n\n\ndef f(x, mode, kind):\n    if {head}{rest}:\n        y = {arms[0]}\n"
    text += f"    else:\n        y = {arms[1]}\n    return y\n"
    (found,) = findings(text)
    _, when, condition = found.message.partition(", when ")
    assert when
    assert head in condition
    assert len(condition) < 80
    ast.parse(condition, mode="eval")
