"""Gradients that are cleared, clipped, scaled or applied in the wrong place are found however the program is written."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.harness import session
from tests.rules.training_variants import Training, codes, codes_of_files

SETUP = "model = nn.Linear(8, 2)\noptimizer = torch.optim.{optimizer}(model.parameters(), lr=0.1)"
SCALED = SETUP + "\nscaler = torch.amp.GradScaler('cuda')"
LOSS = "x = torch.randn(4, 8)\nloss = model(x).square().mean()"
CLIP = "nn.utils.clip_grad_norm_(model.parameters(), 1.0)"
PARTS = {
    "zero": "optimizer.zero_grad()",
    "zero-model": "model.zero_grad()",
    "loss": LOSS,
    "backward": "loss.backward()",
    "clip": CLIP,
    "step": "optimizer.step()",
    "scaled": "scaler.scale(loss).backward()",
    "unscale": "scaler.unscale_(optimizer)",
    "scaler-step": "scaler.step(optimizer)",
    "update": "scaler.update()",
}
#: Code → the order of the parts of a pass.
FAULTY = {
    "DLO102": [
        "loss backward zero step", "step loss backward zero", "loss backward clip zero step",
        "loss scaled zero scaler-step update",
    ],
    "DLO103": ["zero loss step", "loss zero clip step", "zero loss backward", "loss backward zero"],
    "DLO121": ["zero clip loss backward step", "zero loss backward step clip", "zero loss scaled clip scaler-step update"],
    "DLO122": ["zero loss scaled step update", "zero loss scaled scaler-step", "zero loss scaled unscale clip scaler-step"],
}  # fmt: skip
SOUND = [
    "zero loss backward step", "loss zero backward step", "loss backward step zero", "zero loss backward clip step",
    "zero loss scaled unscale clip scaler-step update", "zero loss scaled scaler-step update", "loss zero backward clip step",
    "loss zero-model backward step", "zero loss scaled unscale step update",
]  # fmt: skip


def _training(order: str, optimizer: str = "SGD") -> Training:
    parts = order.split()
    scaled = any(part in ("scaled", "scaler-step", "update", "unscale") for part in parts)
    names = ("model", "optimizer", "scaler") if scaled else ("model", "optimizer")
    body = "\n".join(PARTS[part] for part in parts)
    return Training((SCALED if scaled else SETUP).format(optimizer=optimizer), body, names)


CASES = [(code, order) for code, orders in FAULTY.items() for order in orders]


@pytest.mark.parametrize(("code", "order"), CASES)
def test_every_form_is_found(code: str, order: str) -> None:
    for name, text in _training(order).texts():
        found = codes(text, session())
        assert code in found, (name, found, text)


@pytest.mark.parametrize(("code", "order"), [(code, orders[0]) for code, orders in FAULTY.items()])
def test_a_fault_across_files_is_found(code: str, order: str, tmp_path: Path) -> None:
    assert code in codes_of_files(_training(order).files(), tmp_path)


@pytest.mark.parametrize("order", SOUND)
def test_sound_orders_are_silent(order: str) -> None:
    for name, text in _training(order, "AdamW").texts():
        assert not set(FAULTY) & set(codes(text, session())), (name, text)


UNKNOWN = "import torch\nfrom torch import nn\n\n\ndef train(model, optimizer, scaler, loader):\n    for x in loader:\n{body}"


@pytest.mark.parametrize(
    ("code", "order"), [case for case in CASES if case[1] not in ("zero loss backward", "loss backward zero")]
)
def test_objects_that_the_caller_passes(code: str, order: str) -> None:
    lines = [line for part in order.split() for line in PARTS[part].splitlines() if not line.startswith("x =")]
    body = "".join(f"        {line}\n" for line in lines)
    assert code in codes(UNKNOWN.format(body=body), session())


ENGINES = {
    "accelerate": "from accelerate import Accelerator\naccelerator = Accelerator()\nmodel, optimizer = "
    "accelerator.prepare(model, optimizer)",
    "unknown": "from engine import Accelerator\naccelerator = Accelerator(model, optimizer)",
}  # fmt: skip


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("order", ["zero loss {b} step", "loss {b} step zero"])
def test_engines_that_differentiate(engine: str, order: str) -> None:
    parts = order.format(b="engine").split()
    body = "\n".join({**PARTS, "engine": "accelerator.backward(loss)"}[part] for part in parts)
    training = Training(f"{SETUP.format(optimizer='SGD')}\n{ENGINES[engine]}", body, ("model", "optimizer", "accelerator"))
    for name, text in training.texts():
        assert not set(FAULTY) & set(codes(text, session())), (name, text)
