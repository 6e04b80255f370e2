"""Weights that are drawn for another activation are found in every form of a program, and not in the repaired twins."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import torch\nfrom torch import nn\n"
SETUP = "stack = nn.ModuleList([nn.Linear(16, 16) for _ in range({count})])\nx = torch.randn(4, 16)"
BODY = "for layer in stack:\n    nn.init.{draw}\nfor layer in stack:\n    x = {activation}(layer(x))\nprint(x)"
#: How weights are drawn, and what follows → whether the one is made for the other.
FITS = {
    ("xavier_uniform_(layer.weight)", "torch.relu"): False,
    ("xavier_normal_(layer.weight)", "nn.functional.relu"): False,
    ("kaiming_normal_(layer.weight)", "torch.tanh"): False,
    ("kaiming_uniform_(layer.weight, nonlinearity='relu')", "torch.sigmoid"): False,
    ("xavier_uniform_(layer.weight)", "torch.tanh"): True,
    ("xavier_uniform_(layer.weight, gain=1.4)", "torch.relu"): True,
    ("kaiming_normal_(layer.weight)", "torch.relu"): True,
    ("kaiming_normal_(layer.weight, nonlinearity='tanh')", "torch.tanh"): True,
    ("zeros_(layer.bias)", "torch.relu"): True,
}


@pytest.mark.sampled(every=4)
@pytest.mark.parametrize(("pair", "count", "form"), list(product(FITS, (5, 2), FORMS)))
def test_draws_for_another_activation(pair: tuple[str, str], count: int, form: str, tmp_path: Path) -> None:
    draw, activation = pair
    case = Case("DLI105", IMPORTS, SETUP.format(count=count), BODY.format(draw=draw, activation=activation), ("stack", "x"))
    assert ("DLI105" in found(FORMS[form](case), tmp_path, ["DLI105"])) is (not FITS[pair] and count > 4)
