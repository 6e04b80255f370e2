"""Models that are made anew in each epoch, and models that are given weights and then replaced."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, MAIN, Case, found

IMPORTS = "import torch\nfrom torch import nn\nimport keras\nimport numpy as np"
NET = """class Net(nn.Module):
    def __init__(self, width=8):
        super().__init__()
        self.layer = nn.Linear(width, 2)

    def forward(self, x):
        return self.layer(x)


def made():
    net = Net()
    return net


"""
DATA = "data = [(torch.randn(4, 8), torch.randn(4, 2)) for _ in range(9)]"
MAKING = ("Net()", "made()", "nn.Sequential(nn.Linear(8, 4), nn.ReLU(), nn.Linear(4, 2))")
LOOP = """{2}
for {0} in {1}:
    model = {3}
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for x, y in data:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(x), y).backward()
        optimizer.step()
    {4}"""
#: What the loop goes over, and what else it does → whether it makes a model anew by mistake.
LOOPS = {
    ("epoch", "range(20)", "pass"): True,
    ("this_epoch", "range(1, 21)", "print(len(data))"): True,
    ("epoch_number", "tqdm.trange(20)", "model.eval()"): True,
    ("fold", "range(20)", "pass"): False,
    ("seed", "range(20)", "pass"): False,
    ("epochs", "range(10, 50, 10)", "pass"): False,
    ("epoch", "range(20)", "kept.append(model)"): False,
    ("epoch", "range(20)", "kept[epoch] = model"): False,
    ("epoch", "range(20)", "model.load_state_dict(torch.load('a.pt'))"): False,
    ("epoch", "range(20)", "torch.save(model, 'a.pt')"): False,
    ("epoch", "range(20)", "break"): False,
}


@pytest.mark.parametrize("form", ["plain", "in_function", "in_guard", "in_with", "decorated"])
@pytest.mark.parametrize("making", MAKING)
@pytest.mark.parametrize("loop", LOOPS)
def test_a_model_of_each_epoch(loop: tuple[str, str, str], making: str, form: str, tmp_path: Path) -> None:
    body = LOOP.format(loop[0], loop[1], "kept = []", making, loop[2])
    files = FORMS[form](Case("DLI107", f"{IMPORTS}\nimport tqdm\n\n\n{NET}", DATA, body, ("data",)))
    assert ("DLI107" in found(files, tmp_path, ["DLI107"])) is LOOPS[loop]


@pytest.mark.parametrize("making", MAKING)
def test_a_model_that_is_made_under_a_condition(making: str, tmp_path: Path) -> None:
    body = LOOP.format("epoch", "range(20)", "pass", making, "pass")
    body = body.replace(f"model = {making}\n", f"if epoch == 0:\n        model = {making}\n")
    assert not found(FORMS["plain"](Case("DLI107", f"{IMPORTS}\n\n\n{NET}", DATA, body, ("data",))), tmp_path, ["DLI107"])


KERAS = """def built():
    model = keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])
    model.compile(loss="mse", optimizer="adam")
    return model


x, y = np.random.rand(32, 8), np.random.rand(32)
{0}for {1} in range(20):
    {2}model.fit(x, y, batch_size=8)
"""


@pytest.mark.parametrize(
    ("before", "variable", "first", "is_told"),
    [
        ("", "epoch", "model = built()\n    ", True),
        ("model = built()\n", "epoch", "", False),
        ("", "fold", "model = built()\n    ", False),
    ],
)
def test_a_keras_model_of_each_epoch(before: str, variable: str, first: str, is_told: bool, tmp_path: Path) -> None:
    text = f"{IMPORTS}\n\n\n{KERAS.format(before, variable, first)}"
    assert ("DLI107" in found({MAIN: text}, tmp_path, ["DLI107"])) is is_told


RESTORED = """def restored(path):
    model = {0}
    {1}
    {2}
    return model


print(restored("a.pt")({3}))
"""
LOADED = {
    "Net()": ("model.load_state_dict(torch.load(path))", "torch.zeros(2, 8)"),
    "made()": ("model.load_state_dict(torch.load(path))", "torch.zeros(2, 8)"),
    "nn.Sequential(nn.Linear(8, 4), nn.Linear(4, 2))": ("model.load_state_dict(torch.load(path))", "torch.zeros(2, 8)"),
    "keras.Sequential([keras.Input((8,)), keras.layers.Dense(1)])": ("model.load_weights(path)", "np.zeros((2, 8))"),
}


@pytest.mark.parametrize("between", ["", "model.eval()\n    ", "print(path)\n    "])
@pytest.mark.parametrize("making", LOADED)
def test_a_loaded_model_is_replaced(making: str, between: str, tmp_path: Path) -> None:
    load, data = LOADED[making]
    text = f"{IMPORTS}\n\n\n{NET}{RESTORED.format(making, load, between * ('keras' not in making) + f'model = {making}', data)}"
    assert found({MAIN: text}, tmp_path, ["DLI103"]) == ["DLI103"]


@pytest.mark.parametrize("making", LOADED)
def test_a_loaded_model_is_used(making: str, tmp_path: Path) -> None:
    load, data = LOADED[making]
    for behind in (
        "pass",
        f"print(model({data}))\n    model = {making}",
        f"other = model\n    print(other)\n    model = {making}",
        f"weights = model.get_weights() if 0 else model\n    model = {making}\n    print(weights({data}))",
        f"model = {making}\n    {load}",
        f"second = {making}\n    print(second({data}))",
        f"if not path:\n        model = {making}",
    ):
        text = f"{IMPORTS}\n\n\n{NET}{RESTORED.format(making, load, behind, data)}"
        assert not found({MAIN: text}, tmp_path, ["DLI103"]), behind


OWNED = """class Work:
    def __init__(self, rate):
        self.rate = rate
        self.build()

    def build(self):
        self.model = nn.Linear(8, 2)
        self.made = 1

    def begin(self):
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=self.rate)

    def resume(self, path):
        self.model.load_state_dict(torch.load(path, weights_only=True))
        {again}

    def run(self):
        self.begin()
        for x, y in data:
            self.optimizer.zero_grad()
            nn.functional.mse_loss(self.model(x), y).backward()
            self.optimizer.step()


work = Work(0.1)
work.resume("a.pt")
work.run()
"""


@pytest.mark.parametrize(
    ("again", "told"),
    [
        ("self.build()", True),
        ("self.begin()", False),
        ("print(self.model.weight)\n        self.build()", False),
        ("pass", False),
    ],
)
def test_a_method_that_replaces_a_loaded_model(again: str, told: bool, tmp_path: Path) -> None:
    text = f"{IMPORTS}\n\n{DATA}\n\n\n{OWNED.format(again=again)}"
    assert ("DLI103" in found({MAIN: text}, tmp_path, ["DLI103"])) is told


@pytest.mark.parametrize("renamed", ["    def build(self):", "    def resume(self", ""])
@pytest.mark.parametrize("again", ["self.build()", "self.begin()"])
def test_whatever_methods_call_their_object(renamed: str, again: str, tmp_path: Path) -> None:
    owned = OWNED.format(again=again)
    methods = [f"    def {one}" for one in owned.split("    def ")]
    other = [one.replace("self", "this") if one.startswith(renamed) else one for one in methods]
    text = f"{IMPORTS}\n\n{DATA}\n\n\n{''.join(other).removeprefix('    def ')}"
    assert ("DLI103" in found({MAIN: text}, tmp_path, ["DLI103"])) is (again == "self.build()")
