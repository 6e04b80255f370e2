"""A module that is loaded between two equal constructions changes nothing of what is built: after an edit, with the module
loaded before, programs and findings are those of a fresh start."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.analysis import Analysis
from dllint.engine.session import Session
from dllint.ir.printer import Printer
from dllint.source.document import Document

PARTS = """\
from torch import nn


class Norm(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.LayerNorm(dim)

    def forward(self, x):
        return self.norm(x)
"""
HELPERS = """\
from limits import LEAST

SEEN = []


def checked(width):
    return max(width, LEAST)
"""
MODEL = """\
import torch
from torch import nn

{imports}
from parts import Norm


class Net(nn.Module):
    def __init__(self, dim={default}):
        super().__init__()
        self.first = Norm({first})
        {between}
        self.second = Norm(8)
        self.third = {third}

    def forward(self, x):
        width = 1
        return self.third(self.second(self.first(x)))


def run():
    return Net()(torch.zeros(2, 8))
"""
#: How a module is imported, and what loads it.
LOADS = {
    "name": ("from helpers import checked", "checked(3)"),
    "module": ("import helpers", "helpers.checked(3)"),
    "under another name": ("import helpers as h", "self.width = h.checked(3)"),
    "everything": ("from helpers import *", "checked(3)"),
    "where it is used": ("", "from helpers import checked; checked(3)"),
    "number of another module": ("from helpers import LEAST", "self.least = LEAST"),
    "list": ("import helpers", "helpers.SEEN.append(3)"),
    "nothing": ("", "pass"),
}
EDITS = {
    "method": ("width = 1", "width = 2"),
    "constructor": ("self.third =", "self.added = 1\n        self.third ="),
    "function": ("return Net()", "net = Net()\n    return net"),
}


def shown(analysis: Analysis) -> list[object]:
    """All that can be told from an analysis."""
    programs = [(Printer(with_events=True).program(p), [(gap[0], gap[1]) for gap in p.gaps]) for p in analysis.programs]
    return [*programs, *analysis.findings, *analysis.notices]


def session(project: Path, *, remember: bool) -> Session:
    return Session(Configuration(overrides={"root": project, "select": ("ALL",)}, isolated=True), remember=remember)


@pytest.mark.parametrize(("first", "third"), list(product(("8", "dim"), ("Norm(8)", "nn.Identity()"))))
@pytest.mark.parametrize("load", LOADS)
def test_after_an_edit_all_is_that_of_a_fresh_start(tmp_path, load, first, third):
    for name, text in {"parts.py": PARTS, "helpers.py": HELPERS, "limits.py": "LEAST = 4\n"}.items():
        (tmp_path / name).write_text(text)
    imports, between = LOADS[load]
    text = MODEL.format(imports=imports, between=between, first=first, third=third, default=8)
    path = tmp_path / "model.py"
    path.write_text(text)
    remembering, document = session(tmp_path, remember=True), Document.open(path)
    assert shown(remembering.analyser(path).analyse(document)) == shown(
        session(tmp_path, remember=False).analyser(path).analyse(document)
    )
    for old, new in EDITS.values():
        document = document.edit(text.replace(old, new))
        path.write_text(document.text)
        after = remembering.analyser(path).analyse(document)
        assert shown(after) == shown(session(tmp_path, remember=False).analyser(path).analyse(Document.open(path)))
