"""A loss is read behind the arms of the condition it stands in, and where it is replaced under another condition only."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.source.document import Document

HEAD = """
import torch
from torch import nn

net = nn.Linear(3, 2)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)


def train(loader, flag):
    for x, y in loader:
        out = net(x)
"""
TAIL = """
        optimizer.zero_grad()
        {name}.backward()
        optimizer.step()


train([(torch.randn(4, 3), torch.randn(4, 2))], {flag})
"""
FIRST, SECOND = "{name} = nn.functional.mse_loss(out, y)", "{name} = 2 * nn.functional.l1_loss(out, y)"
READ = {
    "arms": ("if flag:", f"    {FIRST}", "elif len(out) == 2:", f"    {SECOND}", "else:", f"    {SECOND}"),
    "inner arms": (
        "if flag:",
        "    if len(out) > 1:",
        f"        {FIRST}",
        "    else:",
        f"        {SECOND}",
        "else:",
        f"    {SECOND}",
    ),
    "replaced under a condition": (FIRST, "if flag > 2:", f"    {SECOND}"),
    "replaced in a loop": (FIRST, "for _ in range(flag - 1):", f"    {SECOND}"),
}
UNREAD = {
    "replaced": (FIRST, SECOND),
    "replaced in all that follows": ("if flag:", f"    {FIRST}", f"    {SECOND}", "else:", f"    {SECOND}"),
}


def told(lines: tuple[str, ...], name: str) -> list[str]:
    body = "".join(f"        {line.format(name=name)}\n" for line in lines)
    path = Path("program.py")
    session = Session(Configuration(isolated=True, overrides={"select": ("DLL119",)}))
    text = HEAD + body + TAIL.format(name=name, flag=1)
    return [finding.code for finding in session.analyser(path).analyse(Document.from_text(path, text)).findings]


@pytest.mark.parametrize("name", ["loss", "total"])
@pytest.mark.parametrize("form", READ)
def test_it_is_read(form, name):
    assert told(READ[form], name) == []


@pytest.mark.parametrize("name", ["loss", "total"])
@pytest.mark.parametrize("form", UNREAD)
def test_it_is_not_read(form, name):
    assert told(UNREAD[form], name) == ["DLL119"]
