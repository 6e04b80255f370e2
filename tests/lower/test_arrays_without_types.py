"""Arguments without a type that may be arrays of numpy: their methods may do without what those of torch's tensors need."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

_CALLS = ("c.transpose()", "c.reshape((-1, 1)).transpose()", "(c + 1).transpose()", "c[None].transpose()")
_PLACES = {
    "method": "class Matrix:\n    def get(self, c):\n        return np.sqrt(c) * np.sqrt({call})\n",
    "method of a module": "class Net(nn.Module):\n    def forward(self, c):\n        return np.sqrt({call})\n",
    "function": "def get(c):\n    return np.sqrt({call})\n",
}


@pytest.mark.parametrize("place", _PLACES)
def test_nothing_is_missing_for_an_array(place: str) -> None:
    for call in _CALLS:
        text = "import numpy as np\nimport torch\nfrom torch import nn\n\n\n" + _PLACES[place].format(call=call)
        assert [f.message for f in findings(text) if f.code == "DLT118"] == []


@pytest.mark.parametrize("made", ["torch.randn(2, 3)", "torch.randn(6).view(2, 3)", "nn.Linear(3, 3)(torch.randn(2, 3))"])
def test_it_is_missing_for_a_tensor(made: str) -> None:
    text = f"import torch\nfrom torch import nn\n\nc = {made}\nd = c.transpose()\n"
    assert [f.message for f in findings(text) if f.code == "DLT118"] == ["`c.transpose` needs `dim0`, which is not given"]
