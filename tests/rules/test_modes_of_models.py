"""Models that are evaluated in training mode, or trained in evaluation mode, are found however the program is written."""

from __future__ import annotations

import itertools
from pathlib import Path

import pytest

from tests.rules.harness import session
from tests.rules.training_variants import Training, codes, codes_of_files
from tests.sampling import thinned

MODELS = {
    "dropout": "model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Dropout(0.5), nn.Linear(16, 2))",
    "batch-norm": "model = nn.Sequential(nn.Linear(8, 16), nn.BatchNorm1d(16), nn.ReLU(), nn.Linear(16, 2))",
    "own-class": "model = Net()",
    "functional": "model = Functional()",
}
PLAIN = "model = nn.Sequential(nn.Linear(8, 16), nn.LayerNorm(16), nn.ReLU(), nn.Linear(16, 2))"
PARTS = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(8, 8), nn.Dropout(0.2), nn.Linear(8, 2)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Functional(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 2)

    def forward(self, x):
        return self.layer(nn.functional.dropout(x, 0.5, training=self.training))


class Data(torch.utils.data.Dataset):
    def __len__(self):
        return 64

    def __getitem__(self, index):
        return torch.randn(8), torch.tensor(1)
"""
SETUP = """{model}
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
train_loader = torch.utils.data.DataLoader(Data(), batch_size=8)
test_loader = torch.utils.data.DataLoader(Data(), batch_size=8)
{mode}
"""
TRAINED = """for x, y in train_loader:
    optimizer.zero_grad()
    loss = nn.functional.cross_entropy(model(x), y)
    loss.backward()
    optimizer.step()
"""
EVALUATED = """with torch.no_grad():
    for x, y in test_loader:
        print((model(x).argmax(1) == y).sum().item())
"""
RECORDED = """for x, y in test_loader:
    print((model(x).argmax(1) == y).sum().item())
"""
NAMES = ("model", "optimizer", "train_loader", "test_loader")
RENAMED = (("model", "net"), ("optimizer", "opt"), ("loss", "objective"), ("train_loader", "batches"))


def _training(model: str, body: str, mode: str = "") -> Training:
    head = "for epoch in range(10):"
    return Training(SETUP.format(model=model, mode=mode), body, NAMES, head, PARTS, RENAMED)


TRAINING = "model.train()"


@pytest.mark.parametrize(
    ("model", "evaluated", "mode"),
    [
        ("dropout", EVALUATED, ""),
        ("batch-norm", RECORDED, TRAINING),
        ("own-class", EVALUATED, TRAINING),
        ("functional", RECORDED, ""),
    ],
)
def test_evaluation_in_training_mode(model: str, evaluated: str, mode: str) -> None:
    for name, text in thinned(_training(MODELS[model], TRAINED + evaluated, mode).texts(), 2, len(model)):
        assert "DLO107" in codes(text, session()), (name, text)


@pytest.mark.parametrize(
    ("model", "mode", "condition"),
    [
        ("dropout", "", ""),
        ("batch-norm", TRAINING, "if optimizer.param_groups[0]['lr'] > 0.1:"),
        ("own-class", TRAINING, ""),
        ("functional", "", "if optimizer.param_groups[0]['lr'] > 0.1:"),
    ],
)
def test_training_in_evaluation_mode(model: str, mode: str, condition: str) -> None:
    evaluated = f"model.eval()\n{EVALUATED}"
    if condition:
        evaluated = f"{condition}\n" + "".join(f"    {line}\n" for line in evaluated.splitlines())
    for name, text in thinned(_training(MODELS[model], TRAINED + evaluated, mode).texts(), 2, len(model)):
        found = codes(text, session())
        assert "DLO108" in found, (name, text)
        assert "DLO107" not in found, (name, text)


def test_both_across_files(tmp_path: Path) -> None:
    assert "DLO107" in codes_of_files(_training(MODELS["own-class"], TRAINED + EVALUATED).files(), tmp_path)
    evaluated = f"model.eval()\n{EVALUATED}"
    assert "DLO108" in codes_of_files(_training(MODELS["own-class"], TRAINED + evaluated, "model.train()").files(), tmp_path)


SOUND = {
    "restored": f"model.train()\n{TRAINED}model.eval()\n{EVALUATED}",
    "restored-by-argument": f"model.train(True)\n{TRAINED}model.train(False)\n{EVALUATED}",
    "restored-behind": f"{TRAINED}model.eval()\n{EVALUATED}model.train()\n",
    "restored-by-value": f"{TRAINED}before = model.training\nmodel.eval()\n{EVALUATED}model.train(before)\n",
    "parts": f"for module in model.modules():\n    module.train()\n{TRAINED}model.eval()\n{EVALUATED}",
    "evaluation-mode-throughout": f"model.eval()\n{TRAINED}{EVALUATED}",
    "twice": f"model.train()\n{TRAINED}\nmodel.eval()\n{RECORDED}{EVALUATED}",
}


@pytest.mark.parametrize(("model", "body"), list(zip(itertools.cycle(MODELS), SOUND, strict=False)))
def test_modes_that_are_set(model: str, body: str) -> None:
    for name, text in thinned(_training(MODELS[model], SOUND[body]).texts(), 2, len(body)):
        assert not {"DLO107", "DLO108"} & set(codes(text, session())), (name, text)


@pytest.mark.parametrize("body", [TRAINED + EVALUATED, f"{TRAINED}model.eval()\n{EVALUATED}"])
def test_models_without_modes(body: str) -> None:
    for name, text in thinned(_training(PLAIN, body).texts(), 2):
        assert not {"DLO107", "DLO108"} & set(codes(text, session())), (name, text)
