"""The state of a recurrent network that a pass leaves to the next one, as a tuple: its graph is given up, unless it is cut."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = """from typing import NamedTuple
import torch
from torch import nn


class State(NamedTuple):
    h: torch.Tensor
    c: torch.Tensor


class Named(nn.Module):
    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, x, state):
        out, (h, c) = self.network(x, (state.h, state.c))
        return out, State(h, c)


class Reader(nn.Module):
    def __init__(self):
        super().__init__()
        self.cells = nn.LSTM(8, 16)
        self.head = nn.Linear(16, 1)

    def forward(self, x, state):
        out, state = self.cells(x, state)
        return self.head(out), state
"""
SETUP = """model = Reader()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(640, 8), torch.randn(640, 1)), 4)"""
BODY = """state = (torch.zeros(1, 16), torch.zeros(1, 16))
for x, y in loader:
    optimizer.zero_grad()
    {given}
    loss = nn.functional.mse_loss(out, y)
    {backward}
    optimizer.step()"""
NAMES = ("model", "optimizer", "loader")
NAMED = "out, state = Named(model)(x, {0})"
CARRIED = (
    "out, state = model(x, state)",
    "out, state = model(x, tuple(state))",
    "[out, state] = model(x.clone(), (state[0], state[1]))",
    NAMED.format("state"),
)
CUT = (
    "out, state = model(x, (state[0].detach(), state[1].detach()))",
    "out, state = model(x, tuple(part.detach() for part in state))",
    "out, left = model(x, state)",
    "state = (torch.zeros(1, 16), torch.zeros(1, 16))\n    out, state = model(x, state)",
    "out, state = model(x, state)\n    h, c = state\n    state = (h.detach(), c.detach())",
    NAMED.format("State(state.h.detach(), state.c.detach())"),
)


def told(given: str, form: str, folder: Path, backward: str = "loss.backward()") -> bool:
    body = BODY.format(given=given, backward=backward)
    body = body.replace("(torch", "State(torch", 1) if "Named" in given else body
    return "DLO120" in found(FORMS[form](Case("DLO120", IMPORTS, SETUP, body, NAMES)), folder, ["DLO120"])


@pytest.mark.sampled(every=5)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("given", CARRIED)
def test_states_with_their_graphs(given: str, form: str, tmp_path: Path) -> None:
    assert told(given, form, tmp_path)


@pytest.mark.parametrize("given", CUT)
def test_states_that_are_cut_or_new(given: str, tmp_path: Path) -> None:
    assert not told(given, "in_helper", tmp_path)


def test_graphs_that_are_kept(tmp_path: Path) -> None:
    assert not told(CARRIED[0], "plain", tmp_path, "loss.backward(retain_graph=True)")
