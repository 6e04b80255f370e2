"""Devices of samples in tables and of data that helpers make, metrics of lists, chains of methods, decorated helpers."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from tests.rules.training.variants import FORMS, MAIN, Case, found

IMPORTS = "import torch\nfrom torch import nn\nfrom sklearn import metrics\nfrom sklearn.metrics import mean_absolute_error"

TABLE = """
class Cells(torch.utils.data.Dataset):
    def __init__(self):
        self.image = torch.rand(96, 8)
        self.target = self.image.sum(1) / 10

    def __len__(self):
        return 96

    def __getitem__(self, i):
        return {{"image": self.image[i], "target": self.target[i]}}


def main(index=0):
    device = torch.device(f"cuda:{{index}}")
    model = nn.Linear(8, 1).to(device)
    for batch in torch.utils.data.DataLoader(Cells(), batch_size=16):
        image = batch["image"].to(device)
        target = batch["target"]{moved}
        print(nn.functional.mse_loss(model(image).squeeze(1), target))


main()
"""


@pytest.mark.parametrize(("moved", "told"), [("", True), (".to(device)", False), (".cuda()", False), ("[:0].tolist()", False)])
def test_samples_that_are_tables(moved: str, told: bool, tmp_path: Path) -> None:
    assert ("DLG103" in found({MAIN: IMPORTS + TABLE.format(moved=moved)}, tmp_path, ["DLG103"])) is told


HELPER = """
def prepared(values):
    values = torch.tensor(values)
    return values.unsqueeze(0)


def apply(network):
    picture = prepared([1.0, 2.0, 3.0])
    return network(picture)


print(apply(nn.Sequential(nn.Linear(3, 2)).to("cuda")))
"""


def test_the_place_where_data_of_a_helper_are_handed_over(tmp_path: Path) -> None:
    file = tmp_path / MAIN
    file.write_text(IMPORTS + HELPER, encoding="utf-8")
    result = Session(Configuration(isolated=True, overrides={"select": ("DLG103",)})).check_file(file)
    lines = [finding.location.span.first.line - 1 for finding in result.findings]
    assert [(IMPORTS + HELPER).split("\n")[line].strip() for line in lines] == ["return network(picture)"]


SMOOTHED = """
class Smoothed(nn.Module):
    def forward(self, logits, target):
        truth = torch.full((target.size(0), 5), 0.1{device})
        truth.{written}
        return -(truth * logits.log_softmax(1)).sum(1).mean()


model, loss = nn.Linear(8, 5).to("cuda"), Smoothed()
x, y = torch.randn(4, 8).to("cuda"), torch.zeros(4, dtype=torch.long).to("cuda")
print(loss(model(x), y))
"""


@pytest.mark.parametrize("written", ["scatter_(1, target.unsqueeze(1), 0.9)", "mul_(2.0)", "add_(1.0)"])
@pytest.mark.parametrize(("device", "told"), [("", True), (", device=logits.device", False)])
def test_what_is_written_into_stays_where_it_is(device: str, told: bool, written: str, tmp_path: Path) -> None:
    text = IMPORTS + SMOOTHED.format(device=device, written=written)
    assert ("DLG102" in found({MAIN: text}, tmp_path, ["DLG102"])) is told


SETUP = "model = nn.Linear(8, 1)\nbatches = [(torch.randn(4, 8), torch.randn(4)) for _ in range(9)]"
SCORES = """outs, targets = [], []
for x, y in batches:
    out = model(x).squeeze(1)
    outs.append(out{cut})
    targets.append(y)
print({score}({first}, {second}))"""


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("score", ["mean_absolute_error", "metrics.r2_score"])
@pytest.mark.parametrize(("cut", "told"), [("", True), (".contiguous()", True), (".detach()", False), (".tolist()", False)])
def test_metrics_of_lists(cut: str, told: bool, score: str, form: str, tmp_path: Path) -> None:
    second = "outs" if cut == ".tolist()" else "torch.cat(outs)"
    body = SCORES.format(cut=cut, score=score, first="torch.cat(targets)", second=second)
    case = Case("DLG104", IMPORTS, SETUP, body, ("model", "batches"))
    assert ("DLG104" in found(FORMS[form](case), tmp_path, ["DLG104"])) is told


CHAINS = """for x, y in batches:
    {statement}
    print(model(x))"""


@pytest.mark.parametrize(
    ("statement", "told"),
    [
        ("x.sub(x.mean()).div(x.std())", True),
        ("x.float().abs().contiguous()", True),
        ("x = x.sub(x.mean()).div(x.std())", False),
        ("x.sub_(x.mean()).div_(x.std())", False),
        ("x.sub_(x.mean()).div(x.std())", False),
    ],
)
def test_chains_of_methods(statement: str, told: bool, tmp_path: Path) -> None:
    text = f"{IMPORTS}\n{SETUP}\n{CHAINS.format(statement=statement)}\n"
    assert ("DLG101" in found({MAIN: text}, tmp_path, ["DLG101"])) is told


WRAPPED = """
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = nn.Linear(8, 2)

    def embed(self, x):
        return self.layer(x)

    def forward(self, x):
        return self.embed(x)


{decorator}
def rank(model, x):
    return model.{read}(x)


def main():
    model = nn.DataParallel(Net())
    print(rank(model, torch.randn(4, 8)))


main()
"""


@pytest.mark.parametrize("decorator", ["@torch.no_grad()", "@torch.inference_mode()", ""])
@pytest.mark.parametrize(("read", "told"), [("embed", True), ("module.embed", False)])
def test_decorated_helpers_of_wrappers(read: str, told: bool, decorator: str, tmp_path: Path) -> None:
    text = IMPORTS + WRAPPED.format(decorator=decorator, read=read)
    assert ("DLG107" in found({MAIN: text}, tmp_path, ["DLG107"])) is told
