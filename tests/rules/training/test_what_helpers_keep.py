"""Losses and weights that helpers and other objects keep from pass to pass; what is emptied or copied is silent."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import MAIN, found

HEAD = "import copy\nfrom collections import defaultdict\nimport torch\nfrom torch import nn\n\n\n"
BOARD = """class Board:
    def __init__(self):
        self.rows = {container}

    def note(self, {parameters}):
        for word, number in entries.items():
            {keep}

    def renew(self):
        {renew}


"""
TRAINING = """def train(model, optimizer, loader, board):
    for x, y in loader:
        {start}
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        {call}


def main():
    model = nn.Linear(8, 2)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    loader = [(torch.randn(4, 8), torch.randint(0, 2, (4,))) for _ in range(9)]
    train(model, optimizer, loader, Board())


main()
"""
KEEPING = {
    "options": ("defaultdict(list)", "**entries", "self.rows[word].append(number)", "board.note(loss=loss)"),
    "dictionary": ("{}", "entries", "self.rows.setdefault(word, []).append(number)", "board.note({'loss': loss})"),
    "one list": ("[]", "entries", "self.rows.append(number)", "board.note({'loss': loss})"),
}


def _board(kind: str, start: str = "pass", renew: str = "pass", call: str = "") -> str:
    container, parameters, keep, usual = KEEPING[kind]
    cls = BOARD.format(container=container, parameters=parameters, keep=keep, renew=renew)
    return HEAD + cls + TRAINING.format(start=start, call=call or usual)


@pytest.mark.parametrize("kind", KEEPING)
def test_a_board_that_keeps_losses_is_found(kind: str, tmp_path: Path) -> None:
    assert "DLO110" in found({MAIN: _board(kind)}, tmp_path)
    text = _board(kind)
    cls = text[text.index("class Board") : text.index("def train")]
    files = {"board.py": HEAD + cls, MAIN: f"{HEAD}from board import Board\n\n\n" + text[text.index("def train") :]}
    assert "DLO110" in found(files, tmp_path)


@pytest.mark.parametrize("kind", KEEPING)
@pytest.mark.parametrize("renew", ["self.rows = defaultdict(list)", "self.rows.clear()"])
def test_a_board_that_each_pass_empties_is_silent(kind: str, renew: str, tmp_path: Path) -> None:
    assert "DLO110" not in found({MAIN: _board(kind, "board.renew()", renew)}, tmp_path)


@pytest.mark.parametrize("number", ["loss.item()", "loss.detach()", "float(loss)"])
def test_numbers_on_a_board_are_silent(number: str, tmp_path: Path) -> None:
    assert "DLO110" not in found({MAIN: _board("options", call=f"board.note(loss={number})")}, tmp_path)


SUM = """def {name}({parameters}):
    {body}
    return {result}


def train(model, optimizer, loader):
    total = torch.zeros(())
    for x, y in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x), y)
        loss.backward()
        optimizer.step()
        {call}
    return total


net = nn.Linear(8, 2)
train(net, torch.optim.SGD(net.parameters(), lr=0.1), [(torch.randn(4, 8), torch.randint(0, 2, (4,))) for _ in range(9)])
"""


@pytest.mark.parametrize(
    ("parameters", "body", "result", "call", "is_told"),
    [
        ("total, loss", "total += loss", "total", "total = plus(total, loss)", True),
        ("sum_, part", "sum_ = sum_ + part", "sum_", "total = plus(total, part=loss)", True),
        ("part, sum_", "sum_ = sum_ + part", "sum_", "total = plus(loss, total)", True),
        ("total, loss", "total += loss.detach()", "total", "total = plus(total, loss)", False),
        ("total, loss", "total += loss", "total.item()", "total = plus(total, loss)", False),
        ("total, loss", "total = 0 * total.detach() + loss", "total", "total = plus(total, loss)", False),
        ("total, loss", "total += loss", "total", "mean = plus(torch.zeros(()), loss)", False),
    ],
)
def test_sums_that_helpers_give_back(parameters: str, body: str, result: str, call: str, is_told: bool, tmp_path: Path) -> None:
    text = HEAD + SUM.format(name="plus", parameters=parameters, body=body, result=result, call=call)
    assert ("DLO110" in found({MAIN: text}, tmp_path)) is is_told


STOPPER = """class Stopper:
    def __init__(self):
        self.best, self.kept = None, None

    def taken(self, network):
        return {taken}

    def __call__(self, score, network):
        if self.best is None or score > self.best:
            self.best = score
            self.kept = self.taken(network)

    def restore(self, network):
        network.load_state_dict(self.kept)


model = nn.Linear(8, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
stopper = Stopper()
for epoch in range(20):
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(torch.randn(4, 8)), torch.randint(0, 2, (4,)))
    loss.backward()
    optimizer.step()
    stopper(-loss.item(), model)
stopper.restore({restored})
"""


@pytest.mark.parametrize(
    ("taken", "restored", "is_told"),
    [
        ("network.state_dict()", "model", True),
        ("copy.deepcopy(network.state_dict())", "model", False),
        ("{name: value.clone() for name, value in network.state_dict().items()}", "model", False),
        ("network.state_dict()", "nn.Linear(8, 2)", False),
    ],
)
def test_weights_that_an_object_keeps(taken: str, restored: str, is_told: bool, tmp_path: Path) -> None:
    assert ("DLO129" in found({MAIN: HEAD + STOPPER.format(taken=taken, restored=restored)}, tmp_path)) is is_told


SKIPPING = """class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList([nn.Linear(8, 8) for _ in range(4)])
        self.seen = []

    def forward(self, x):
        {start}
        for part in self.parts:
            x = part(x)
            self.seen.append(x)
        return x + self.seen[0]


model = Encoder()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(100):
    optimizer.zero_grad()
    loss = model(torch.randn(4, 8)).square().mean()
    loss.backward()
    optimizer.step()
"""


@pytest.mark.parametrize("start", ["self.seen = []", "self.seen.clear()", "self.seen = [x]"])
def test_lists_that_the_model_begins_anew_in_each_pass(start: str, tmp_path: Path) -> None:
    assert "DLO110" not in found({MAIN: HEAD + SKIPPING.format(start=start)}, tmp_path)


EARLY = """import copy
import torch
from torch import nn


class Stopper:
    def __init__(self, patience=3):
        self.patience, self.best, self.kept, self.waited = patience, None, None, 0

    def {method}(self, loss, network):
        if self.best is None or loss < self.best:
            self.best, self.waited = loss, 0
            self.kept = {kept}
            {end}
        self.waited += 1
        return self.waited >= self.patience


def main():
    model, stopper = nn.Linear(8, 2), Stopper()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for epoch in range(50):
        optimizer.zero_grad()
        loss = model(torch.randn(4, 8)).square().mean()
        loss.backward()
        optimizer.step()
        if stopper{called}(loss.item(), model):
            break
    model.load_state_dict(stopper.kept)


main()
"""


@pytest.mark.parametrize(("method", "called"), [("__call__", ""), ("step", ".step"), ("should_stop", ".should_stop")])
@pytest.mark.parametrize(
    ("kept", "end", "told"),
    [
        ("network.state_dict()", "return False", True),
        ("network.state_dict()", "return", True),
        ("network.state_dict()", "return None", True),
        ("network.state_dict()", "return True", False),
        ("copy.deepcopy(network.state_dict())", "return False", False),
        ("{name: value.clone() for name, value in network.state_dict().items()}", "return False", False),
    ],
)
def test_early_stopping_that_keeps_the_weights_themselves(
    method: str, called: str, kept: str, end: str, told: bool, tmp_path: Path
) -> None:
    source = EARLY.replace("{method}", method).replace("{kept}", kept).replace("{end}", end).replace("{called}", called)
    assert ("DLO129" in found({MAIN: source}, tmp_path)) is told


@pytest.mark.parametrize(
    "asked", ["if not stopper(loss.item(), model):", "go = stopper(loss.item(), model)\n        if not go:"]
)
def test_early_stopping_that_stops_where_it_is_told_so_is_silent(asked: str, tmp_path: Path) -> None:
    source = EARLY.replace("{method}", "__call__").replace("{kept}", "network.state_dict()").replace("{end}", "return False")
    source = source.replace("if stopper{called}(loss.item(), model):", asked)
    assert "DLO129" not in found({MAIN: source}, tmp_path)


@pytest.mark.parametrize("asked", ["if stopper(loss.item(), model):", "done = stopper(loss.item(), model)\n        if done:"])
def test_early_stopping_by_a_name_is_told(asked: str, tmp_path: Path) -> None:
    source = EARLY.replace("{method}", "__call__").replace("{kept}", "network.state_dict()").replace("{end}", "return False")
    source = source.replace("if stopper{called}(loss.item(), model):", asked)
    assert "DLO129" in found({MAIN: source}, tmp_path)
