"""From which learning rate on a warning is given, a hint, or nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session

PROGRAM = """import torch
from torch import nn

{setup}
for x, y in torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.randn(64, 8), torch.randn(64, 1)), 16):
    optimizer.zero_grad()
    nn.functional.mse_loss({model}(x), y).backward()
    optimizer.step()
"""
FORMS = (
    "{model} = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))\n"
    "optimizer = torch.optim.{name}({model}.parameters(), lr={rate})",
    "{model} = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))\nrate = {rate}\n"
    "optimizer = torch.optim.{name}({model}.parameters(), lr=rate)",
    "settings = dict(lr={rate})\n{model} = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))\n"
    "optimizer = torch.optim.{name}({model}.parameters(), **settings)",
)
LEVELS = {
    "Adam": {0.01: None, 0.1: "hint", 0.5: "hint", 1.0: "warning", 10: "warning"},
    "RMSprop": {0.05: None, 0.5: "hint", 1.0: "warning"},
    "SGD": {1.0: None, 1.5: "hint", 10: "warning"},
}


@pytest.mark.parametrize("form", range(len(FORMS)))
@pytest.mark.parametrize("name", list(LEVELS))
@pytest.mark.parametrize("model", ["model", "network"])
def test_level_of_a_rate(form: int, name: str, model: str, tmp_path: Path) -> None:
    for rate, level in LEVELS[name].items():
        path = tmp_path / "main.py"
        setup = FORMS[form].format(model=model, name=name, rate=rate)
        path.write_text(PROGRAM.format(setup=setup, model=model), encoding="utf-8")
        session = Session(Configuration(isolated=True, overrides={"select": ("DLO124",)}))
        levels = [finding.severity.value for finding in session.check_file(path).findings]
        assert levels == ([level] if level else []), rate


#: Where the default of a setting stands, and how it is read.
DEFAULTS = (
    "import argparse\nparser = argparse.ArgumentParser()\nparser.add_argument('--lr', type=float, default={rate})\n"
    "args = parser.parse_args()\n{make}args.lr)",
    "import argparse\n\n\ndef settings():\n    parser = argparse.ArgumentParser()\n"
    "    parser.add_argument('--rate', type=float, default={rate})\n    return parser.parse_args()\n\n\nchosen = settings()\n"
    "{make}chosen.rate)",
    "from dataclasses import dataclass\n\n\n@dataclass\nclass Settings:\n    lr: float = {rate}\n\n\nargs = Settings()\n"
    "{make}args.lr)",
)


@pytest.mark.parametrize("default", range(len(DEFAULTS)))
@pytest.mark.parametrize(("rate", "is_told"), [("1e3", True), ("100", True), ("2.0", False), ("1e-3", False)])
def test_rates_of_settings(rate: str, is_told: bool, default: int, tmp_path: Path) -> None:
    make = "model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))\n"
    make += "optimizer = torch.optim.SGD(model.parameters(), lr="
    setup = DEFAULTS[default].replace("{rate}", rate).replace("{make}", make)
    for beside in ("", "scheduler = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda epoch: 1e-4)\n"):
        (tmp_path / "main.py").write_text(PROGRAM.replace("{setup}", f"{setup}\n{beside}").replace("{model}", "model"))
        session = Session(Configuration(isolated=True, overrides={"select": ("DLO124",)}))
        told = [finding.severity.value for finding in session.check_file(tmp_path / "main.py").findings]
        assert [level for level in told if level != "hint"] == (["warning"] if is_told and not beside else [])


@pytest.mark.parametrize("rate", [0.1, 0.5])
def test_a_rate_of_a_data_class_is_read_wherever_it_is_asked_for(rate: float, tmp_path: Path) -> None:
    make = "model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))\n"
    make += "optimizer = torch.optim.AdamW(model.parameters(), lr="
    setup = DEFAULTS[2].replace("{rate}", str(rate)).replace("{make}", make)
    for later, told in (("", ["hint"]), ("args.lr = 1e-3\n", [])):
        (tmp_path / "main.py").write_text(PROGRAM.replace("{setup}", f"{setup}\n{later}").replace("{model}", "model"))
        session = Session(Configuration(isolated=True, overrides={"select": ("DLO124",)}))
        assert [finding.severity.value for finding in session.check_file(tmp_path / "main.py").findings] == told


@pytest.mark.parametrize("default", range(len(DEFAULTS)))
@pytest.mark.parametrize(
    ("rate", "momentum", "told"),
    [("3.0", "0.9", ["warning"]), ("2.0", "0.95", ["warning"]), ("3.0", "0.0", []), ("0.4", "0.99", []), ("1.0", "0.9", [])],
)
def test_momentum_adds_steps_up(rate: str, momentum: str, told: list[str], default: int, tmp_path: Path) -> None:
    make = "model = nn.Sequential(nn.Linear(8, 32), nn.ReLU(), nn.Linear(32, 1))\n"
    make += f"optimizer = torch.optim.SGD(model.parameters(), momentum={momentum}, lr="
    setup = DEFAULTS[default].replace("{rate}", rate).replace("{make}", make)
    (tmp_path / "main.py").write_text(PROGRAM.replace("{setup}", setup).replace("{model}", "model"))
    session = Session(Configuration(isolated=True, overrides={"select": ("DLO124",)}))
    levels = [finding.severity.value for finding in session.check_file(tmp_path / "main.py").findings]
    assert [level for level in levels if level != "hint"] == told
