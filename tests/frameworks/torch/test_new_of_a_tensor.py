"""``x.new(...)`` makes what the class of ``x`` makes of the same arguments."""

from __future__ import annotations

import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from tests.lower.tracing import lower

torch = pytest.importorskip("torch")

#: The receiver, and what it is called with.
RECEIVERS = (
    "torch.zeros(3, 4)",
    "torch.zeros(3, 4, dtype=torch.float64)",
    "torch.zeros(3, 4).long()",
    "torch.zeros(3, 4).data",
)
CALLS = (
    "2, 5",
    "5",
    "",
    "[2, 5]",
    "(2, 5)",
    "[[1, 2]]",
    "x.size()",
    "x.shape",
    "x.size(0), 7",
    "*[2, 3, 4]",
    "torch.Size([2, 5])",
)
BEHIND = ("", ".zero_()", ".fill_(2).contiguous()")


@pytest.mark.oracle
@pytest.mark.parametrize("receiver", RECEIVERS)
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("behind", BEHIND)
def test_shape_and_type_are_those_of_torch(receiver: str, call: str, behind: str) -> None:
    source = f"import torch\nx = {receiver}\nv = x.new({call}){behind}\n"
    run: dict[str, object] = {}
    exec(source, run)
    expected = run["v"]
    assert isinstance(expected, torch.Tensor)
    found = lower(source).module.attrs["v"]
    assert isinstance(found, TensorVal)
    if not isinstance(found.shape, Unknown):  # a tuple of numbers is data or sizes
        assert found.shape == tuple(expected.shape)
    assert found.dtype.name == str(expected.dtype).removeprefix("torch.")


@pytest.mark.parametrize("call", ["size", "*size", "batch"])
def test_what_is_not_known_leaves_the_shape_open(call: str) -> None:
    source = f"import torch\nfrom elsewhere import batch, size\nv = torch.zeros(3).new({call})\n"
    found = lower(source).module.attrs["v"]
    assert not isinstance(found, TensorVal) or isinstance(found.shape, Unknown)


def test_sizes_that_are_not_known_give_the_rank() -> None:
    source = "import torch\nfrom elsewhere import batch\nv = torch.zeros(3, 4).new(batch(), 4)\n"
    found = lower(source).module.attrs["v"]
    assert isinstance(found, TensorVal)
    assert found.type.rank == 2
