"""Modules of torch import torch: ``F.torch.max`` is ``torch.max``."""

from __future__ import annotations

from typing import Any

import pytest

from tests.lower.tracing import values

HOMES = ("F.torch", "nn.functional.torch", "torch.nn.functional.torch", "torch")


@pytest.mark.oracle
@pytest.mark.parametrize("home", HOMES)
def test_functions_are_those_of_torch(home: str) -> None:
    pytest.importorskip("torch")
    source = (
        f"import torch\nfrom torch import nn\nimport torch.nn.functional as F\nout = {home}.zeros(2, 3).sum(1, keepdim=True)\n"
    )
    names: dict[str, Any] = {}
    exec(source, names)
    assert values(source)["out"].shape == tuple(names["out"].shape) == (2, 1)
