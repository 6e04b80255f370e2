"""Comparisons of tensors with the pairs that functions of torch return, in every structural form."""

from __future__ import annotations

from itertools import product
from pathlib import Path

import pytest

from tests.lower.tracing import lower
from tests.rules.training.variants import FORMS, Case, found

IMPORTS = "import torch\nfrom torch import nn"
SETUP = "net = nn.Linear(8, 10)\nx, y = torch.randn(4, 8), torch.randint(0, 10, (4,))\nout = net(x)"
PAIRS = (
    "torch.max(out, 1)",
    "out.max(dim=-1)",
    "torch.min(out, dim=1)",
    "out.median(1)",
    "torch.mode(y[None])",
    "out.kthvalue(2)",
)
USES = (
    "hits = pair == y",
    "hits = (y == pair).sum()",
    "misses = y != pair",
    "count = 0\nfor _ in range(3):\n    count += (pair == y).sum()",
)
SOUND = (
    "_, pair = torch.max(out, 1)",
    "pair = torch.max(out, 1)[1]",
    "pair = out.max(1).indices",
    "pair = torch.max(out)",
    "pair = out.argmax(1)",
)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize(("pair", "use"), [*product(PAIRS, USES)][::3])
def test_a_pair_is_compared(pair: str, use: str, form: str, tmp_path: Path) -> None:
    case = Case("DLT125", IMPORTS, SETUP, f"pair = {pair}\n{use}", ("out", "y"))
    assert "DLT125" in found(FORMS[form](case), tmp_path, ["DLT125"])


@pytest.mark.parametrize(("pair", "use"), [*product(SOUND, USES)])
def test_a_tensor_is_compared(pair: str, use: str, tmp_path: Path) -> None:
    assert not found({"main.py": f"{IMPORTS}\n\n{SETUP}\n{pair}\n{use}\n"}, tmp_path, ["DLT125", "DLT109"])


@pytest.mark.oracle
@pytest.mark.parametrize(("other", "sign"), [*product(("[]", "[1.0, 1.0]", "(1, 1, 1)", "[x, x]"), ("==", "!="))])
def test_a_sequence_never_equals_a_tensor(other: str, sign: str) -> None:
    torch = pytest.importorskip("torch")
    expected = eval(f"x {sign} {other}", {"x": torch.ones(2)})
    text = f"import torch\nx = torch.ones(2)\nif x {sign} {other}:\n    y = torch.zeros(1)\nelse:\n    y = torch.zeros(2)\n"
    ops = lower(text).programs[0].ops
    assert not any(op.faults for op in ops)
    assert ops[-1].output.type.shape == ((1,) if expected else (2,))


def test_an_array_is_compared_element_by_element() -> None:
    text = "import numpy as np\n\nx = np.ones(3)\ny = x == [1, 2, 3]\n"
    assert lower(text).programs[0].ops[-1].output.type.shape == (3,)
