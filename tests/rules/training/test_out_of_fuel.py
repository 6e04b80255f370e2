"""What a training procedure lacks is told only where it was followed to its end, whatever fuel there is."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine import tracing
from dllint.engine.session import Session
from dllint.lower.options import Options
from tests.sampling import thinned

_HEAD = """\
import torch
from torch import nn

model = nn.Sequential(nn.Linear(8, 4), nn.Dropout(0.5), nn.Linear(4, 2))
data = torch.randn(16, 8)
"""
_EVALUATE = """
def evaluate(model, data):
    model.eval()
    correct = 0
    with torch.no_grad():
        for part in data.split(4):
            scores = model(part)
            correct += scores.argmax(1).sum()
    model.train()
    return correct
"""
_STEP = """\
        optimizer.zero_grad()
        loss = model(part).square().mean()
        loss.backward()
        optimizer.step()
"""
_SCALED = """\
        optimizer.zero_grad()
        with torch.autocast("cuda"):
            loss = model(part).square().mean()
        scaler.scale(loss).backward()
        scaler.unscale_(optimizer)
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        scaler.step(optimizer)
        scaler.update()
"""
_LOOP = """\
for epoch in range(5):
    for part in data.split(4):
{step}    scheduler.step()
    print(epoch, loss.item())
"""
_MADE = """
model.train()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
scheduler = torch.optim.lr_scheduler.StepLR(optimizer, 2)
scaler = torch.amp.GradScaler()
"""
PROGRAMS = {
    "plain": _HEAD + _MADE + _LOOP.format(step=_STEP),
    "scaled": _HEAD + _MADE + _LOOP.format(step=_SCALED),
    "evaluated": _HEAD + _EVALUATE + _MADE + _LOOP.format(step=_STEP + "        evaluate(model, data)\n"),
    "evaluated at times": _HEAD
    + _EVALUATE
    + _MADE
    + _LOOP.format(step=_STEP + "        if loss > 1:\n            evaluate(model, data)\n"),
    "behind an epoch": _HEAD + _EVALUATE + _MADE + _LOOP.format(step=_STEP) + "    evaluate(model, data)\n",
}


def _told(text: str, fuel: int | None, monkeypatch: pytest.MonkeyPatch) -> set[tuple[str, int]]:
    if fuel is not None:
        monkeypatch.setattr(tracing, "Options", lambda **given: Options(**given | {"fuel": fuel}))
    session = Session(Configuration(isolated=True, overrides={"select": ("ALL",)}))
    result = session.check_bytes(Path("/snippet/example.py"), text.encode())
    assert not result.notices
    return {(finding.code, finding.location.span.first.line) for finding in result.findings}


@pytest.mark.parametrize("name", PROGRAMS)
def test_nothing_is_told_because_fuel_ran_out(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    whole = _told(PROGRAMS[name], None, monkeypatch)
    for fuel in thinned(range(5, 140, 3), 2, len(name)):
        assert _told(PROGRAMS[name], fuel, monkeypatch) <= whole, fuel


def test_less_fuel_tells_less(monkeypatch: pytest.MonkeyPatch) -> None:
    faulty = PROGRAMS["plain"].replace("        optimizer.zero_grad()\n", "")
    assert any(code == "DLO101" for code, _ in _told(faulty, None, monkeypatch))
    assert not any(code == "DLO101" for code, _ in _told(faulty, 20, monkeypatch))
