"""Work that one statement makes a library do is paid for in fuel, so that what it costs does not depend on the machine."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.ir.values import ModuleVal
from dllint.lower import statements
from dllint.lower.document import begin
from dllint.lower.machine import Interpreter
from dllint.lower.options import Options
from dllint.source.document import Document

HEAD = "import copy\nimport torch\n"
#: A program for a number → the least fuel that 512 more of it take.
WORK = {
    "layers in one call": ("m = torch.nn.Sequential(*[torch.nn.ReLU(), torch.nn.Tanh()] * {n})\nm(torch.ones(2))\n", 120),
    "results of one call": ("torch.ones({n}).unbind()\n", 30),
    "objects that are copied": (
        "x = [[list() for i in range(100)] for j in range({n} // 8)]\n" + "copy.deepcopy(x)\n" * 4, 7_500,
    ),
    "parts of an object": (
        "class A:\n    def __init__(self): self.x = [[list() for i in range(100)] for j in range({n} // 8)]\n"
        + "A()\n" * 4, 7_500,
    ),
    "elements that one stands for": ("x = list(range(900, 900 + {n}))\nx.extend(input())\nfor y in x: pass\n", 60),
    "elements of a table that is made again": ("for i in range(16):\n    x = [{elements}]\n", 110),
}  # fmt: skip


def used(text: str) -> int:
    """The fuel that a module takes."""
    document = Document.from_text(Path("a.py"), HEAD + text)
    m = Interpreter(document, None, Options())
    begin(m, ModuleVal("__main__", document))
    statements.run(m, document.body)
    assert not m.trail.failures
    return m.options.fuel - m.budget.fuel


@pytest.mark.parametrize("what", WORK)
def test_what_is_done_at_once_is_paid_for(what):
    text, least = WORK[what]
    less, more = (used(text.format(n=n, elements="1, " * n)) for n in (512, 1024))
    assert more - less >= least
