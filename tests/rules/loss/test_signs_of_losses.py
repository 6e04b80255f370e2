"""Losses that a minus is missing in, in every structural form, beside those with the right sign."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import torch\nfrom torch import nn"
SETUP = (
    "net, other = nn.Linear(8, 3), nn.Linear(8, 3)\noptimizer = torch.optim.SGD(net.parameters(), lr=0.1)\n"
    "x, y = torch.randn(4, 8), torch.randint(0, 3, (4,))\ncodes = nn.functional.one_hot(y, 3).float()\nrewards = torch.randn(4)"
)
NAMES = ("net", "other", "optimizer", "x", "y", "codes", "rewards")
STEP = "for turn in range(5):\n    {0}\n    optimizer.zero_grad()\n    loss.backward()\n    optimizer.step()"
LIKELIHOODS = (
    "loss = {0}(codes * net(x).softmax(1).log()).sum(1).mean()",
    "loss = {0}(codes * torch.log(net(x).softmax(1) + 1e-8)).mean()",
    "loss = {0}torch.log(net(x).sigmoid().clamp(min=1e-6)).mean()",
    "scores = net(x).log_softmax(dim=1)\n    loss = {0}scores.gather(1, y[:, None]).mean()",
    "scores = net(x).log_softmax(dim=1)\n    loss = {0}scores[torch.arange(4), y].contiguous().mean() / 2",
    "logs = net(x).log_softmax(-1) - 0.5 * (other(x) - 1).pow(2)\n    loss = {0}torch.logsumexp(logs, dim=-1).mean()",
    "logs = torch.distributions.Normal(other(x), 1.0).log_prob(x[:, :1])\n"
    "    loss = {0}(net(x).log_softmax(1)[:, :3] + logs).logsumexp(1).sum() / 4",
    "p = torch.sigmoid(net(x))\n    loss = {0}(codes * p.log() + (1 - codes) * (1 - p).log()).mean()",
)
GROWN = (
    "mean, spread = net(x), other(x)\n    loss = {0}0.5 * (1 + spread - mean.pow(2) - spread.exp()).sum()",
    "mean, spread = net(x), other(x)\n    loss = {0}torch.mean(0.5 * torch.sum(1 + spread - mean**2 - torch.exp(spread), 1))",
    "loss = {0}-net(x).square().mean()",
)
AGENTS = (
    "chosen = torch.distributions.Categorical(logits=net(x))\n    loss = {0}(chosen.log_prob(y) * rewards).mean()",
    "chosen = torch.distributions.Categorical(logits=net(x))\n    advantage = rewards - rewards.mean()\n"
    "    loss = {0}(advantage.detach() * chosen.log_prob(y)).sum()",
)
SOUND = (
    "p = net(x).softmax(1)\n    loss = (p * p.log()).sum(1).mean()",
    "p, q = net(x).softmax(1), net(x * 2).softmax(1)\n    loss = (p * (p.log() - q.log())).sum()",
    "loss = torch.log(1 - net(x).sigmoid()).mean()",
    "loss = nn.functional.logsigmoid(-net(x)).mean()",
    "z = net(x)\n    loss = (z**2).mean() - z.mean() ** 2",
    "loss = 1 - torch.exp(-(net(x) ** 2)).mean()",
    "loss = (torch.randn(4, 3) * net(x).log_softmax(1)).mean()",
    "loss = -(net(x).tanh() ** 2).mean()",
    "chosen = torch.distributions.Categorical(logits=net(x))\n    loss = (0.1 * chosen.log_prob(y) - rewards).mean()",
    "with torch.no_grad():\n        t = other(x).softmax(1)\n    loss = (t * (t.log() - net(x).log_softmax(1))).sum(1).mean()",
    "loss = nn.functional.nll_loss(net(x).log_softmax(1), y)",
    "loss = torch.logsumexp(net(x), dim=1).mean()",
    "loss = torch.logsumexp(-torch.cdist(net(x), net(x)).pow(2), dim=1).mean()",
    "scores = net(x)\n    loss = (scores.logsumexp(1) - scores[torch.arange(4), y]).mean()",
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("loss", [*LIKELIHOODS, *GROWN, *AGENTS])
def test_a_minus_is_missing(loss: str, form: str, tmp_path: Path) -> None:
    case = Case("DLL115", IMPORTS, SETUP, STEP.format(loss.format("")), NAMES)
    assert "DLL115" in found(FORMS[form](case), tmp_path, ["DLL115"])


@pytest.mark.parametrize("form", ["plain", "in_helper"])
@pytest.mark.parametrize("loss", [*(loss.format("-") for loss in (*LIKELIHOODS, *GROWN, *AGENTS)), *SOUND])
def test_the_sign_is_right(loss: str, form: str, tmp_path: Path) -> None:
    case = Case("DLL115", IMPORTS, SETUP, STEP.format(loss), NAMES)
    assert not found(FORMS[form](case), tmp_path, ["DLL115"])


@pytest.mark.parametrize(("loss", "change"), [*product(LIKELIHOODS, ("maximize", "backward"))])
def test_what_is_to_grow(loss: str, change: str, tmp_path: Path) -> None:
    setup = SETUP.replace("lr=0.1", "lr=0.1, maximize=True") if change == "maximize" else SETUP
    step = STEP.format(loss.format("")) if change == "maximize" else STEP.format(loss.format("")).replace("loss.b", "(-loss).b")
    assert not found({"main.py": f"{IMPORTS}\n\n{setup}\n{step}\n"}, tmp_path, ["DLL115"])
