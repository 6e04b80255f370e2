"""Optimizers whose parameters are put together from those of modules: in lists, sums, chains, filters and comprehensions."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import itertools\nimport torch\nfrom torch import nn"
#: Ways to give an optimizer the parameters of the modules in the tuple `trained`.
WAYS = {
    "sum of lists": "params = []\nfor part in trained:\n    params = params + list(part.parameters())",
    "added in place": "params = []\nfor part in trained:\n    params += part.parameters()",
    "extended": "params = []\nfor part in trained:\n    params.extend(part.parameters())",
    "comprehension": "params = [p for part in trained for p in part.parameters()]",
    "named": "params = [p for part in trained for name, p in part.named_parameters() if p.requires_grad]",
    "chain": "params = itertools.chain(*(part.parameters() for part in trained))",
    "chain from": "params = itertools.chain.from_iterable([part.parameters() for part in trained])",
    "filter": "params = filter(lambda p: p.requires_grad, trained[0].parameters())\n"
    "params = list(params) + [p for part in trained[1:] for p in part.parameters()]",
    "groups": "params = [{'params': list(part.parameters())} for part in trained]",
    "groups by kind": "slow = [p for part in trained for n, p in part.named_parameters() if 'bias' in n]\n"
    "fast = [p for part in trained for n, p in part.named_parameters() if 'bias' not in n]\n"
    "params = [{'params': slow, 'weight_decay': 0.0}, {'params': fast}]",
}
SETUP = """encoder = nn.Sequential(nn.Linear(8, 4), nn.ReLU())
decoder = nn.Linear(4, 8)
model = nn.Sequential(encoder, decoder)
trained = ({0})
{1}
optimizer = torch.optim.Adam(params, lr=0.001)"""
BODY = """for step in range(100):
    x = torch.randn(4, 8)
    {0}
    loss = nn.functional.mse_loss(decoder(encoder(x)), x)
    loss.backward()
    {1}
    optimizer.step()"""
NAMES = ("encoder", "decoder", "model", "optimizer")


def _told(way: str, trained: str, before: str, after: str, form: str, folder: Path) -> list[str]:
    setup = SETUP.format(trained, WAYS[way])
    if form != "plain":
        setup = setup.replace("model = nn.Sequential(encoder, decoder)", "model = encoder")
    case = Case("DLO113", IMPORTS, setup, BODY.format(before, after), NAMES)
    return found(FORMS[form](case), folder, ["DLO113", "DLO102"])


@pytest.mark.parametrize("form", ["in_function", "in_helper", "in_method", "in_other_file"])
@pytest.mark.parametrize("way", WAYS)
def test_a_module_is_left_out(way: str, form: str, tmp_path: Path) -> None:
    assert _told(way, "encoder,", "optimizer.zero_grad()", "pass", form, tmp_path) == ["DLO113"]


@pytest.mark.parametrize("way", WAYS)
def test_all_modules_are_trained(way: str, tmp_path: Path) -> None:
    assert not _told(way, "encoder, decoder", "optimizer.zero_grad()", "pass", "plain", tmp_path)


@pytest.mark.parametrize("way", WAYS)
def test_the_model_is_cleared_before_the_step(way: str, tmp_path: Path) -> None:
    assert _told(way, "encoder, decoder", "pass", "model.zero_grad()", "plain", tmp_path) == ["DLO102"]


@pytest.mark.parametrize("way", WAYS)
def test_the_model_is_cleared_before_the_backward_pass(way: str, tmp_path: Path) -> None:
    assert not _told(way, "encoder, decoder", "model.zero_grad()", "pass", "plain", tmp_path)


@pytest.mark.parametrize("way", WAYS)
def test_another_module_is_cleared_before_the_step(way: str, tmp_path: Path) -> None:
    assert not _told(way, "encoder, decoder", "optimizer.zero_grad()", "encoder.zero_grad()", "plain", tmp_path)


GIVEN = """def train(model, {0}batches):
    {1}
    for x, y in batches:
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        model.zero_grad()
        optimizer.step()
"""


def test_a_given_model_is_cleared_before_the_step(tmp_path: Path) -> None:
    text = GIVEN.format("", "optimizer = torch.optim.Adam(model.parameters())")
    assert found({"main.py": f"{IMPORTS}\n\n\n{text}"}, tmp_path, ["DLO102"]) == ["DLO102"]


@pytest.mark.parametrize("made", ["pass", "optimizer = torch.optim.Adam([torch.zeros(3, requires_grad=True)])"])
def test_a_given_model_may_not_be_what_the_optimizer_trains(made: str, tmp_path: Path) -> None:
    text = GIVEN.format("optimizer, " if made == "pass" else "", made)
    assert not found({"main.py": f"{IMPORTS}\n\n\n{text}"}, tmp_path, ["DLO102"])
