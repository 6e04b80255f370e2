"""What is differentiated requires gradients: no array is made of it, and the cut of that very expression leaves none."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import found

TEXT = """import torch
import torch.nn.functional as F
{more}

def train(model, optimizer, loader, losses):
    model.train()
    for x, y in loader:
        optimizer.zero_grad()
        loss = {loss}
        {backward}
        optimizer.step()
        losses.append({shown})
"""
LOSSES = ("F.cross_entropy(model(x), y)", "model(x).loss", "F.mse_loss(model(x), y) + model.penalty()", "model(x, labels=y)[0]")
CUTS = ("loss.detach().backward()", "(loss / 2).detach().backward()")


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("shown", ["loss.numpy()", "float(loss.numpy())"])
def test_arrays_of_differentiated_losses_are_told(loss: str, shown: str, tmp_path: Path):
    text = TEXT.format(loss=loss, backward="loss.backward()", shown=shown, more="")
    assert found({"main.py": text}, tmp_path, ("DLG104",)) == ["DLG104"], text


@pytest.mark.parametrize("shown", ["loss.item()", "loss.detach().numpy()", "loss.detach().cpu().numpy()"])
def test_arrays_of_what_is_detached_are_silent(shown: str, tmp_path: Path):
    for loss in LOSSES:
        text = TEXT.format(loss=loss, backward="loss.backward()", shown=shown, more="")
        assert found({"main.py": text}, tmp_path, ("DLG104",)) == [], text


#: What freezes, or switches gradients off, elsewhere: a loss that is differentiated requires gradients all the same.
ELSEWHERE = (
    "def freeze(part):\n    for p in part.parameters():\n        p.requires_grad = False\n\n",
    "torch.set_grad_enabled(True)\n",
    "from parts import body\nfor p in body.parameters():\n    p.requires_grad = False\n",
)


@pytest.mark.parametrize("more", ELSEWHERE)
def test_arrays_of_differentiated_losses_are_told_whatever_is_frozen(more: str, tmp_path: Path):
    for loss in LOSSES:
        text = TEXT.format(loss=loss, backward="loss.backward()", shown="loss.numpy()", more=more)
        assert found({"main.py": text}, tmp_path, ("DLG104",)) == ["DLG104"], text
        text = TEXT.format(loss=loss, backward="loss.backward()\n        loss.detach_()", shown="loss.numpy()", more=more)
        assert found({"main.py": text}, tmp_path, ("DLG104",)) == [], text


PHASES = """import torch


def train(model, optimizer, loader):
    for phase in {phases}:
        for x in loader:
            with torch.set_grad_enabled({mode}):
                loss = model(x).sum()
                if {mode}:
                    loss.backward()
                    optimizer.step()
            print(loss.numpy(){shown})
"""


@pytest.mark.parametrize("phases", ["['train', 'val']", "model.phases"])
@pytest.mark.parametrize("mode", ["phase == 'train'", "model.training"])
def test_losses_that_only_one_phase_differentiates_are_silent(phases: str, mode: str, tmp_path: Path):
    shown = "" if mode == "model.training" or phases == "model.phases" else " if phase == 'val' else 0"
    text = PHASES.format(phases=phases, mode=mode, shown=shown)
    assert found({"main.py": text}, tmp_path, ("DLG104",)) == [], text


def test_arrays_of_losses_that_are_differentiated_now_and_then_are_silent(tmp_path: Path):
    for loss in LOSSES:
        text = TEXT.format(loss=loss, backward="if model.training: loss.backward()", shown="loss.numpy()", more="")
        assert found({"main.py": text}, tmp_path, ("DLG104",)) == [], text


@pytest.mark.parametrize("loss", LOSSES)
@pytest.mark.parametrize("more", ["", "def penalised(x):\n    return x.requires_grad_(True)\n"])
def test_losses_cut_where_they_are_differentiated_are_told(loss: str, more: str, tmp_path: Path):
    for cut in CUTS:
        text = TEXT.format(loss=loss, backward=cut, shown="loss.item()", more=more)
        assert found({"main.py": text}, tmp_path, ("DLO106",)) == ["DLO106"], text


def test_what_asks_for_gradients_again_is_silent(tmp_path: Path):
    for loss in LOSSES:
        for backward in ("loss.detach().requires_grad_().backward()", "loss.backward()", "loss.clone().backward()"):
            text = TEXT.format(loss=loss, backward=backward, shown="loss.item()", more="")
            assert found({"main.py": text}, tmp_path, ("DLO106",)) == [], text
