"""Models that are moved behind the optimizer for their parameters: what a function is given, and devices by default."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import found

CODE = "DLG111"
TEXT = """import torch
from torch import nn

def fit({model}, loader, device={device}):
    {first}
    optimizer = torch.optim.Adam({model}.parameters(), lr=1e-3)
    {second}
    for x, y in loader:
        optimizer.zero_grad()
        nn.functional.mse_loss({model}(x), y).backward()
        optimizer.step()
"""
DEVICES = ("'cuda'", "torch.device('cuda')", "None")
MOVES = ("{0}.to(device)", "{0}.to('cuda')", "{0} = {0}.to(device)", "{0}.cuda()")


@pytest.mark.parametrize("device", DEVICES)
@pytest.mark.parametrize("move", MOVES)
@pytest.mark.parametrize("model", ["model", "net"])
def test_given_models_that_are_moved_later_are_told(model: str, move: str, device: str, tmp_path: Path):
    text = TEXT.format(model=model, device=device, first="pass", second=move.format(model))
    assert found({"main.py": text}, tmp_path, (CODE,)) == [CODE], text
    empty = TEXT.format(model=model, device="'cuda'", first=f"with torch.device('meta'): {model} = nn.Linear(3, 4)",
                        second=f"{model}.to_empty(device=device)")  # fmt: skip
    assert found({"main.py": empty}, tmp_path, (CODE,)) == [CODE], empty
    made = TEXT.format(model=model, device="'cuda'", first=f"{model} = nn.Linear(3, 4)", second=move.format(model))
    assert found({"main.py": made}, tmp_path, (CODE,)) == [CODE], made


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("model = model.to(device)", "pass"),
        ("model.to(device)", "model.to(device)"),
        ("model = nn.Linear(3, 4, device='meta').to_empty(device=device)", "pass"),
        ("pass", "model.to(torch.float64)"),
        ("pass", "teacher = build().to(device)"),
        ("pass", "loader = loader.to(device)"),
    ],
)
def test_moves_before_and_of_other_things_are_silent(first: str, second: str, tmp_path: Path):
    text = TEXT.format(model="model", device="'cuda'", first=first, second=second)
    assert found({"main.py": text}, tmp_path, (CODE,)) == [], text


#: Devices that the machine decides: what is chosen is a device either way.
CHOSEN = (
    "'cuda' if torch.cuda.is_available() else 'cpu'",
    "torch.device('cuda' if torch.cuda.is_available() else 'cpu')",
    "torch.device('cuda') if torch.cuda.is_available() else torch.device('cpu')",
    "'cuda' if torch.cuda.is_available() else torch.device('cpu')",
)


@pytest.mark.parametrize("device", CHOSEN)
@pytest.mark.parametrize("name", ["device", "where"])
def test_moves_to_one_of_two_devices_are_told(device: str, name: str, tmp_path: Path):
    text = TEXT.format(
        model="model", device="None", first=f"model = nn.Linear(3, 4)\n    {name} = {device}", second="model.to(N)"
    )
    assert found({"main.py": text.replace("to(N)", f"to({name})")}, tmp_path, (CODE,)) == [CODE]


@pytest.mark.parametrize("kinds", ["torch.float16 if half else torch.float32", "None if half else torch.float64"])
def test_changes_to_one_of_two_types_are_silent(kinds: str, tmp_path: Path):
    text = TEXT.format(model="model", device="None, half=None", first="model = nn.Linear(3, 4)", second=f"model.to({kinds})")
    assert found({"main.py": text}, tmp_path, (CODE,)) == []


RESUMED = """import torch
from torch import nn

model = nn.Linear(3, 4)
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
optimizer.load_state_dict(torch.load("run.pt"))
model.cuda()
{state}
for x in loader:
    optimizer.zero_grad()
    model(x.cuda()).sum().backward()
    optimizer.step()
"""
BY_HAND = (
    """for {entry} in {optimizer}.state.values():
    for {key}, {value} in {entry}.items():
        if torch.is_tensor({value}):
            {entry}[{key}] = {value}.cuda()""",
    """for {entry} in {optimizer}.state:
    for {key}, {value} in {optimizer}.state[{entry}].items():
        {optimizer}.state[{entry}][{key}] = {value}.cuda()""",
)


@pytest.mark.parametrize("names", [("state", "k", "v"), ("entry", "name", "tensor")])
@pytest.mark.parametrize("form", range(len(BY_HAND)))
def test_state_that_is_moved_by_hand_is_not_left_behind(form: int, names: tuple[str, str, str], tmp_path: Path):
    moved = BY_HAND[form].format(entry=names[0], key=names[1], value=names[2], optimizer="optimizer")
    assert found({"main.py": RESUMED.format(state=moved)}, tmp_path, (CODE,)) == []
    assert found({"main.py": RESUMED.format(state="pass")}, tmp_path, (CODE,)) == [CODE]
