"""Numbers that no float holds, or that Python does not write, wherever a number may stand: no rule fails on them."""

# ruff: noqa: E501 - what is tried stands on one line
from __future__ import annotations

import re
from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session

NUMBERS = ["10**400", "-10**400", "10**4250", "0x" + "f" * 3600, "1 << 16000", "9" * 4200, "1e999", "-1e999"]
PLACES = [
    "torch.ones(3) {op} N", "N {op} torch.ones(3)", "torch.ones(3).log() + N", "torch.clamp(torch.ones(3), N, N)", "torch.full((3,), N).log()",
    "torch.ones(N)", "torch.ones(3).view(N)", "torch.ones(3, N).sum(N)", "F.leaky_relu(torch.ones(3), N)", "F.softplus(torch.ones(3), N)",
    "torch.norm(torch.ones(3), p=N)", "F.layer_norm(torch.ones(3), (3,), eps=N)", "F.normalize(torch.ones(3), p=N, eps=N)",
    "torch.optim.Adam(nn.Linear(3, 4).parameters(), lr=N, eps=N, betas=(N, N))", "nn.Linear(N, 3)(torch.ones(2, 5))", "nn.Dropout(N)(torch.ones(3))",
    "nn.Conv2d(3, 4, N, N, N, N)(torch.ones(2, 3, 9, 9))", "torch.arange(0, N, N)", "torch.linspace(N, -N, 3)", "torch.ones(3)[N]", "torch.ones(3)[:N]",
    "torch.tensor([N, 1.0]).exp()", "F.cross_entropy(torch.ones(3, 4), torch.tensor([N, 0, 1]))", "nn.BatchNorm1d(3, eps=N)(torch.ones(2, 3))",
    "torch.ones(3).masked_fill(torch.ones(3) > N, N)", "torch.where(torch.ones(3) > N, N, 0.0)", "F.huber_loss(torch.ones(3), torch.ones(3), delta=N)",
    "np.full(3, N) / N", "keras.layers.LeakyReLU(N)(np.ones((2, 3)))", "torch.addcmul(torch.ones(3), torch.ones(3), torch.ones(3), value=N)",
    "torch.add(torch.ones(3), torch.ones(3), alpha=N)", "nn.init.normal_(torch.ones(3), N, N)", "nn.Embedding(N, N)(torch.tensor([N]))",
    "torch.float_power(torch.ones(3), N)", "torch.ones(3).half() + N", "F.softmax(torch.ones(3) / N, 0)", "F.gelu(torch.ones(3) * N)", "range(N)",
]  # fmt: skip
N = re.compile(r"\bN\b")
HEAD = "import torch\nimport keras\nimport numpy as np\nfrom torch import nn\nfrom torch.nn import functional as F\n"


@pytest.mark.parametrize("number", NUMBERS, ids=range(len(NUMBERS)))
def test_no_number_makes_a_rule_fail(number: str) -> None:
    places = [
        place.replace("{op}", op)
        for place in PLACES
        for op in ("**", "*", "/", "+", "-", "//", "%", "<", "==")[: 1 + 8 * ("{op}" in place)]
    ]
    text = HEAD + "".join(f"y{at} = {N.sub(f'({number})', place)}\n" for at, place in enumerate(places))
    result = Session(Configuration()).check_bytes(Path("large.py"), text.encode())
    assert not [str(notice) for notice in result.notices if notice.kind == "internal-error"]
