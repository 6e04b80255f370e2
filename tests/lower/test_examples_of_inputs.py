"""Sizes that texts and tests give to constructors and inputs: used where nothing else tells them, and no proof."""

from __future__ import annotations

from itertools import product

import pytest

from dllint.lower.document import lower_document
from dllint.source.document import Document
from dllint.source.workspace import Workspace

MODULE = '''
import torch
import torch.nn as nn

class {name}(nn.Module):
    """A net.{inside}
    """

    def __init__(self, width, depth=2):
        super().__init__()
        self.scale = nn.Parameter(torch.ones(width))
        self.out = nn.Linear(width, depth)

    def forward(self, x, mask=None):
        y = torch.tanh(x)
        y = y.mean(1){more}
        return self.out(y)
'''
CALLED = "{made} = {name}(24)\nx = torch.{maker}\n{made}(x)\n"
MAKERS = {
    "sizes": "randn(2, 7, 24)",
    "tuple": "zeros((2, 7, 24))",
    "named": "rand(size=(2, 7, 24))",
    "moved": "ones(2, 7, 24).cuda()",
}
PLACES = {
    "readme": ("README.md", "# Nets\n\n```python\nimport torch\nfrom nets import {name}\n{call}```\n"),
    "test": ("tests/test_nets.py", "import torch\nfrom nets import {name}\n\ndef test():\n{indented}"),
    "example": ("example.py", "import torch\nfrom nets import {name}\n{call}"),
    "docstring": (None, "\n\n    Example::\n\n{indented}"),
    "prompt": (None, "\n\n{prompts}"),
}


def run(folder, place, name="Net", made="net", maker="randn(2, 7, 24)", more=""):
    file, text = PLACES[place]
    call = CALLED.format(name=name, made=made, maker=maker)
    lines = call.splitlines(keepends=True)
    text = text.format(
        name=name,
        call=call,
        indented="".join("        " + line for line in lines),
        prompts="".join("    >>> " + line for line in lines),
    )
    if file is not None:
        (folder / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / file).write_text(text)
    (folder / "pyproject.toml").write_text("")
    path = folder / "nets.py"
    path.write_text(MODULE.format(name=name, inside=text if file is None else "", more=more))
    lowered = lower_document(Document.from_text(path, path.read_text()), Workspace([folder]))
    (program,) = (p for p in lowered.programs if p.entry.endswith(".forward"))
    return program


@pytest.mark.parametrize(("place", "maker"), list(product(PLACES, MAKERS)))
def test_inputs_have_the_sizes_of_examples(tmp_path, place, maker):
    name, made = ("Net", "net") if maker != "tuple" else ("Pool", "model")
    program = run(tmp_path, place, name, made, MAKERS[maker])
    assert {op.kind: str(op.output.shape) for op in program.ops if op.kind in ("mean", "linear")} == {
        "mean": "(x0, 24)",
        "linear": "(x0, 2)",
    }


@pytest.mark.parametrize("place", PLACES)
def test_an_example_that_does_not_fit_is_none(tmp_path, place):
    program = run(tmp_path, place, maker="randn(2, 7, 25)")
    assert not any(op.faults for op in program.ops)


@pytest.mark.parametrize(("place", "maker"), list(product(PLACES, ["randn(*sizes)", "load('x')", "randn(b, n, 24)"])))
def test_sizes_that_are_not_written_are_not_known(tmp_path, place, maker):
    program = run(tmp_path, place, maker=maker)
    assert not any("7" in str(op.output.shape) for op in program.ops)
