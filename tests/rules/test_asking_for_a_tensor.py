"""``torch.is_tensor(x)`` tells as much of ``x`` as ``isinstance(x, torch.Tensor)`` does."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.rules.training.variants import found

ASKS = ("torch.is_tensor({0})", "is_tensor({0})", "isinstance({0}, torch.Tensor)")
BODY = {
    "if {ask}:\n        {name}.to(device)\n": ["DLG101"],
    "if not {ask}:\n        return None\n    {name}.to(device)\n": ["DLG101"],
    "if {ask} and device:\n        {name}.to(device)\n": ["DLG101"],
    "if {ask}:\n        {name} = {name}.to(device)\n": [],
    "if not {ask}:\n        {name}.to(device)\n": [],
    "if {ask} or device:\n        {name}.to(device)\n": [],
}


@pytest.mark.parametrize("ask", ASKS)
@pytest.mark.parametrize("name", ["x", "direction"])
@pytest.mark.parametrize("body", list(BODY))
def test_what_is_a_tensor_is_moved_in_vain(ask: str, name: str, body: str, tmp_path: Path) -> None:
    lines = body.format(ask=ask.format(name), name=name)
    text = f"import torch\nfrom torch import is_tensor\n\n\ndef moved({name}, device):\n    {lines}    return {name}\n"
    assert found({"main.py": text}, tmp_path, ("DLG101",)) == BODY[body]


def test_another_function_of_that_name_tells_nothing(tmp_path: Path) -> None:
    text = "from mine import is_tensor\n\n\ndef moved(x, device):\n    if is_tensor(x):\n        x.to(device)\n    return x\n"
    assert found({"main.py": text}, tmp_path, ("DLG101",)) == []
