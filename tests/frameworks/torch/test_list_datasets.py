"""Loaders over lists and tensors: a batch is made of their elements."""

from __future__ import annotations

from itertools import product

import pytest
import torch

from tests.lower.tracing import values

START = "import torch\nfrom torch.utils.data import DataLoader\n\n"
DATA = (
    "[(torch.zeros(3), i) for i in range(8)]",
    "list(zip(torch.zeros(8, 3), torch.zeros(8)))",
    "[(torch.zeros(3, 2), 0.5)] * 8",
)
LOADERS = ("DataLoader({0}, batch_size=4)", "DataLoader({0}, 4, shuffle=True)")


@pytest.mark.parametrize(("data", "loader"), list(product(DATA, LOADERS)))
def test_shapes_are_those_of_torch(data: str, loader: str) -> None:
    source = f"{START}for x, y in {loader.format(data)}:\n    a, b = x.shape, y.shape\n"
    found, real = values(source), {}
    exec(source, real)
    assert tuple(found["a"]) == tuple(real["a"])
    assert tuple(found["b"]) == tuple(real["b"])


def test_a_tensor_as_data_set() -> None:
    found = values(START + "for x in DataLoader(torch.zeros(8, 3), batch_size=4):\n    a = x.shape\n")
    assert str(found["a"][1]) == "3"
    assert next(iter(torch.utils.data.DataLoader(torch.zeros(8, 3), batch_size=4))).shape == (4, 3)
