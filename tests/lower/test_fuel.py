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
    "places of paths that leave": (
        "def f(d, k):\n    if k: return 0\n    for i in range({n} // 8): d.update({{i: k, -i: k, i * .5: k, i * .25: k}})\n"
        + "    if k: return 1\n" * 64 + "f({{}}, int(input()))\n", 70,
    ),
    "elements that one stands for": (
        "x = [object() for i in range({n})]\nfor y in x + [input()] * int(input()): pass\n", 30,
    ),
    "elements of a table that is made again": ("for i in range(16):\n    x = [{elements}]\n", 110),
}  # fmt: skip


def used(text: str) -> int:
    """The fuel that a module takes."""
    document = Document.from_text(Path("a.py"), HEAD + text)
    m = Interpreter(document, None, Options())
    begin(m, ModuleVal("__main__", document))
    statements.run(m, document.body)
    assert not m.failures
    return m.options.fuel - m.fuel


@pytest.mark.parametrize("what", WORK)
def test_what_is_done_at_once_is_paid_for(what):
    text, least = WORK[what]
    less, more = (used(text.format(n=n, elements="1, " * n)) for n in (512, 1024))
    assert more - less >= least
