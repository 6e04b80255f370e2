"""Engines give back the models, optimizers and loaders that they are given, and differentiate losses."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from tests.lower.tracing import lower

PROGRAM = """
{imports}
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(20, 16), nn.ReLU(), nn.Linear({width}, 4))
optimizer = torch.optim.AdamW(model.parameters())
loader = DataLoader(TensorDataset(torch.randn(96, 20), torch.randint(0, 4, (96,))), batch_size=8, shuffle=True)
{prepare}
for x, y in loader:
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    {engine}.backward(loss)
    optimizer.step()
"""
ENGINES = (
    ("from accelerate import Accelerator",
     "engine = Accelerator(mixed_precision='no')\nmodel, optimizer, loader = engine.prepare(model, optimizer, loader)"),
    ("import accelerate",
     "engine = accelerate.Accelerator()\nloader = engine.prepare(loader)\nmodel, optimizer = engine.prepare(model, optimizer)"),
    ("from accelerate import Accelerator",
     "engine = Accelerator()\nmodel = engine.prepare_model(model)\noptimizer = engine.prepare_optimizer(optimizer)"),
    ("from accelerate import Accelerator",
     "engine = Accelerator()\nmodel, optimizer = engine.prepare(model, optimizer)\nmodel = engine.unwrap_model(model)"),
    ("from lightning.fabric import Fabric",
     "engine = Fabric()\nmodel, optimizer = engine.setup(model, optimizer)\nloader = engine.setup_dataloaders(loader)"),
    ("import lightning as L",
     "engine = L.Fabric()\nmodel = engine.setup_module(model)\noptimizer = engine.setup_optimizers(optimizer)"),
)  # fmt: skip


def program(engine: tuple[str, str], width: int) -> str:
    imports, prepare = engine
    return PROGRAM.format(imports=imports, prepare=prepare, width=width, engine="engine")


@pytest.mark.parametrize(("engine", "width"), list(product(ENGINES, (16, 12))))
def test_what_is_prepared_is_what_was_given(tmp_path: Path, engine: tuple[str, str], width: int) -> None:
    path = tmp_path / "train.py"
    path.write_text(program(engine, width))
    found = Session(Configuration(isolated=True)).check_file(path).findings
    assert [finding.code for finding in found if finding.severity.value in ("error", "warning")] == ["DLT101"] * (width != 16)


@pytest.mark.parametrize("engine", ENGINES)
def test_a_loop_has_its_backward_pass(engine: tuple[str, str]) -> None:
    (traced,) = lower(program(engine, 16)).programs
    kinds = [event.kind for event in traced.events if event.kind in ("zero_grad", "backward", "step")]
    assert kinds == ["zero_grad", "backward", "step"]


def test_how_many_rows_are_gathered_the_processes_decide() -> None:
    source = "import torch\nfrom accelerate import Accelerator\nengine = Accelerator()\n"
    source += "many = engine.gather(torch.zeros(8, 4))\none = engine.gather(torch.zeros(()))\n"
    source += "both = engine.reduce(torch.zeros(8, 4))\n"
    found = lower(source).module.attrs
    assert not isinstance(found["many"].shape[0], int)
    assert found["many"].shape[1] == 4
    assert not hasattr(found["one"], "shape")
    assert found["both"].shape == (8, 4)
