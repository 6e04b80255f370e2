"""``dllint summary`` marks what is wrong at the modules concerned, in the table and as JSON, and nothing else."""

from __future__ import annotations

import json
from pathlib import Path

import jsonschema
import pytest

SCHEMA = Path(__file__).parents[2] / "docs" / "schema" / "summary.schema.json"
#: A model whose layer does not fit, or does; ``{apply}`` is how it is called.
LAYER = """\
import torch
from torch import nn


class {net}(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = nn.Linear(4, 8)
        self.{head} = {container}

    def helper(self, x):
        return self.{head}({between})

    def forward(self, x):
        x = self.stem(x)
        return {apply}


{net}()(torch.randn(2, 4))
"""
ALONE = "nn.Linear({given}, 3)"
STACK = "nn.Sequential(nn.ReLU(), nn.Linear({given}, 3))"
FORMS = [
    # names, container, what is called, its argument, the layer that is wrong
    (("Net", "head"), ALONE, "self.{head}({between})", "x", "head"),
    (("Model", "fc"), ALONE, "self.helper(x)", "x.contiguous()", "fc"),
    (("Net", "out"), STACK, "self.{head}({between})", "torch.relu(x)", "out.1"),
]
#: An operation that no layer performs, in a block that stands there three times.
BLOCKS = """\
import torch
from torch import nn


class Block(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.inner = nn.Linear(c, c{more})

    def forward(self, x):
        return x + self.inner(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.blocks = nn.Sequential(*[Block(16) for _ in range(3)])

    def forward(self, x):
        return self.blocks(x)


Net()(torch.randn(2, 16))
"""
KERAS = """\
import keras

inputs = keras.Input((32, 32, 3))
x = keras.layers.Conv2D(8, 3)(inputs)
outputs = keras.layers.{layer}(name="last")(x)
model = keras.Model(inputs, outputs)
"""


def program(form, given):
    (net, head), container, apply, between, _ = form
    names = {"net": net, "head": head, "between": between, "container": container.format(given=given)}
    return LAYER.format(**names, apply=apply.format(**names))


def wrong(dllint, target):
    shown = dllint("summary", target, "--output-format", "json", "--python", "none")
    assert shown.status == 0, shown.err
    models = json.loads(shown.out)
    jsonschema.validate(models, json.loads(SCHEMA.read_text()))
    found: dict[str, list[str]] = {}
    todo = [model["tree"] for model in models]
    for module in todo:
        todo += module["children"]
        if module["wrong"]:
            found[module["path"]] = [mark["code"] for mark in module["wrong"]]
    return found


@pytest.mark.parametrize("form", FORMS)
def test_the_layer_that_does_not_fit_is_marked(dllint, project, form):
    (project / "net.py").write_text(program(form, given=9))
    assert wrong(dllint, "net.py") == {form[-1]: ["DLT101"]}
    (project / "net.py").write_text(program(form, given=8))
    assert wrong(dllint, "net.py") == {}


def test_the_table_has_a_column_and_the_messages(dllint, project):
    (project / "net.py").write_text(program(FORMS[2], given=9))
    lines = dllint("summary", "net.py", "--python", "none").out.splitlines()
    assert lines[2].endswith("Wrong")
    assert [line.split()[0] for line in lines if line.endswith("  DLT101")] == ["1:"]
    assert lines[lines.index("Wrong:") + 1].startswith("  out.1: DLT101 ")
    # What is not shown is marked at what holds it.
    lines = dllint("summary", "net.py", "--depth", "1", "--python", "none").out.splitlines()
    assert [line.split()[0] for line in lines if line.endswith("  DLT101")] == ["out:"]
    (project / "net.py").write_text(program(FORMS[2], given=8))
    assert "Wrong" not in dllint("summary", "net.py", "--python", "none").out


def test_an_operation_is_marked_at_the_block_in_whose_method_it_stands(dllint, project):
    (project / "net.py").write_text(BLOCKS.format(more=" + 1"))
    assert wrong(dllint, "net.py") == {f"blocks.{number}": ["DLT109"] for number in range(3)}
    (project / "net.py").write_text(BLOCKS.format(more=""))
    assert wrong(dllint, "net.py") == {}


def test_an_input_that_does_not_fit_is_marked(dllint, project):
    (project / "net.py").write_text(program(FORMS[0], given=8))
    assert dllint("summary", "net.py:Net", "--input", "2,4", "--python", "none").out.count("DLT101") == 0
    shown = dllint("summary", "net.py:Net", "--input", "2,5", "--python", "none").out
    assert "stem: DLT101" in shown


@pytest.mark.parametrize(("layer", "marked"), [("UpSampling1D", True), ("UpSampling2D", False)])
def test_layers_of_functional_models_are_marked(dllint, project, layer, marked):
    (project / "net.py").write_text(KERAS.format(layer=layer))
    assert list(wrong(dllint, "net.py")) == (["last"] if marked else [])


def test_what_is_ignored_is_not_marked(dllint, project):
    text = program(FORMS[0], given=9)
    (project / "net.py").write_text(text.replace("self.head(x)\n", "self.head(x)  # dllint: ignore[DLT101]\n"))
    assert wrong(dllint, "net.py") == {}
