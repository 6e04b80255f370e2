"""Modules that hold two of the next one: what is looked through grows with what is built, not with it times the depth."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.lower import repeats

#: How a module holds the two: what is written in ``__init__`` for the class ``{part}``, and in ``forward``.
HOLDS = {
    "attributes": ("self.a = {part}()\n        self.b = {part}()", "self.a(x) + self.b(x)"),
    "a list": ("self.all = nn.ModuleList([{part}(), {part}()])", "self.all[0](x) + self.all[1](x)"),
    "a sequence": ("self.all = nn.Sequential({part}(), {part}())", "self.all(x)"),
    "a helper": ("self.make()\n    def make(self):\n        self.a, self.b = {part}(), {part}()", "self.a(x) + self.b(x)"),
    "a plain list": ("self.all = [{part}() for _ in range(2)]", "self.all[0](x)"),
    "arguments": ("self.a = {part}(k)\n        self.b = {part}(k)", "self.b(self.a(x))"),
}
MODULE = """class B{n}(nn.Module):
    def __init__(self, k=1):
        super().__init__()
        {holds}
    def forward(self, x):
        return {applied}
"""
LEAF = """class B{n}(nn.Module):
    def __init__(self, k=1):
        super().__init__()
        self.fc = nn.Linear(2, 2)
    def forward(self, x):
        return self.fc(x)
"""
#: So many objects are looked at, however deep the modules are. Without a bound for each object that is made, it were more.
_MOST_LOOKED_AT = 2_500_000


@pytest.mark.sampled(every=2)
@pytest.mark.parametrize("depth", [6, 30])
@pytest.mark.parametrize("how", HOLDS)
def test_what_is_looked_at_is_bounded(monkeypatch, how, depth):
    looked_at, usual = 0, repeats._storage

    def counted(value, own):
        nonlocal looked_at
        looked_at += 1
        return usual(value, own)

    monkeypatch.setattr(repeats, "_storage", counted)
    holds, applied = HOLDS[how]
    modules = [MODULE.format(n=n, holds=holds.format(part=f"B{n + 1}"), applied=applied) for n in range(depth)]
    text = "".join(["import torch\nfrom torch import nn\n", *modules, LEAF.format(n=depth)])
    end = f"B{depth - 3}()(torch.zeros(4, 2)).view(3)\nB0()(torch.zeros(4, 2))\ntorch.zeros(4).view(3)\n"
    result = Session(Configuration(isolated=True)).check_bytes(Path("model.py"), (text + end).encode())
    assert result.notices == []
    assert "DLT105" in {finding.code for finding in result.findings}
    assert looked_at < _MOST_LOOKED_AT
