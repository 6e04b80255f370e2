"""The fix for a forgotten ``super().__init__()`` is offered, whatever the constructor calls of the library afterwards."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.edit import Applicability, apply_edits
from dllint.engine.session import Session

HEAD = "import torch\nfrom torch import nn\n\n\n"
FORGOTTEN = "super().__init__()"
#: What stands at the end of a constructor, and methods of the class beside it.
AFTERWARDS = (
    ("", ""),
    ("self.to('cpu')", ""),
    ("self.register_buffer('mean', torch.zeros(3))", ""),
    ("self.apply(print)", ""),
    ("self._reset()", "    def _reset(self):\n        self.layer.reset_parameters()\n\n"),
    ("self._reset()", "    def _reset(self):\n        self._again()\n\n    def _again(self):\n        self.bias = None\n\n"),
)
#: Constructors that may initialise the base in another way, or whose base asks for something.
OTHERWISE = (
    ("self._begin()", "    def _begin(self):\n        super().__init__()\n\n"),
    (
        "self._begin()",
        "    def _begin(self):\n        self._first()\n\n    def _first(self):\n        nn.Module.__init__(self)\n\n",
    ),
    ("nn.Module.__init__(self)", ""),
)


def program(first: str, last: str, methods: str, base: str = "nn.Module") -> str:
    lines = (first, "self.width = width", "if width > 2:", "    self.layer = nn.Linear(width, 4)", "else:")
    lines = (*lines, "    self.layer = nn.Linear(width, 5)", "self.norm = nn.LayerNorm(width)", last)
    body = "".join(f"        {line}\n" for line in lines if line)
    call = "    def forward(self, x):\n        return self.layer(self.norm(x))\n"
    return (
        f"{HEAD}class Net({base}):\n    def __init__(self, width: int):\n{body}\n{methods}{call}\n\nNet(3)(torch.zeros(2, 3))\n"
    )


def fixes(text: str, path: Path) -> list[str]:
    path.write_text(text)
    session = Session(Configuration(isolated=True))
    analyser = session.analyser(path)
    analysis = analyser.analyse(session.tracer(analyser.settings).open(path, text, "utf-8"))
    found = [finding for finding in analysis.findings if finding.code == "DLS109"]
    assert found
    offered = [fix for finding in found for fix in session.fixes_for(analysis, finding)]
    return [apply_edits(text, fix.edits) for fix in offered if fix.applicability is Applicability.SAFE]


@pytest.mark.parametrize(("after", "name"), list(product(AFTERWARDS, ("Net", "Encoder"))))
def test_the_call_is_put_in_front(after: tuple[str, str], name: str, tmp_path: Path) -> None:
    last, methods = after
    slipped = program("", last, methods).replace("Net", name)
    assert program(FORGOTTEN, last, methods).replace("Net", name) in fixes(slipped, tmp_path / "net.py")


@pytest.mark.parametrize("after", OTHERWISE)
def test_nothing_is_offered_where_the_base_is_initialised_later(after: tuple[str, str], tmp_path: Path) -> None:
    assert fixes(program("", *after), tmp_path / "net.py") == []


def test_nothing_is_offered_where_the_base_asks_for_arguments(tmp_path: Path) -> None:
    base = "class Base(nn.Module):\n    def __init__(self, size):\n        super().__init__()\n        self.size = size\n\n\n"
    text = program("", "", "", "Base").replace(HEAD, HEAD + base)
    assert fixes(text, tmp_path / "net.py") == []
