"""What loops leave keeps rank, type and the sizes that do not change, also where a name is used by several loops; every length
of the loops agrees with it."""

from __future__ import annotations

import textwrap
from itertools import product
from typing import Any

import pytest

from dllint.domains.dim import is_known
from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from tests.lower.tracing import lower

#: What a pass does with ``x`` (rows, 3), and whether rank and type stay the same, and the last size.
STEPS = {
    "x = batch": True,
    "x = batch.float()": True,
    "x = batch * 2 + 1": True,
    "x = torch.cat([x, batch])": True,
    "x = torch.relu(x)": True,
    "x = x[:-1]": True,
    "x = x[1:] if len(x) > 5 else batch": True,
    "x = x.unsqueeze(0)": False,
    "x = x.sum(0, keepdim=True) if x.dim() > 1 else x": True,
}
LOOPS = (
    "for (batch,) in loader:\n    {first}",
    "for epoch in range(epochs):\n    for (batch,) in loader:\n        {first}",
    "for epoch in range(epochs):\n    for (batch,) in loader:\n        {first}\n    for (batch,) in other:\n        {second}",
    "while epochs > 0:\n    epochs -= 1\n"
    "    for (batch,) in loader:\n        {first}\n    for (batch,) in other:\n        {second}",
)
HEAD = """
import torch
from torch.utils.data import DataLoader, TensorDataset

data, more = TensorDataset(torch.zeros({rows}, 3)), TensorDataset(torch.zeros(20, 3))
"""
FUNCTION = """
def {name}(loader, other, epochs):
    x = torch.zeros(7, 3)
{body}
    return x
"""


def programs() -> dict[str, tuple[str, bool]]:
    """The functions by name, and whether rank, type and last size stay."""
    made: dict[str, tuple[str, bool]] = {}
    for loop, first, second in product(LOOPS, STEPS, STEPS):
        if "{second}" in loop or second == first:
            name = f"case_{len(made)}"
            body = textwrap.indent(loop.format(first=first, second=second), "    ")
            made[name] = FUNCTION.format(name=name, body=body), STEPS[first] and STEPS[second]
    return made


CALLS = "loader, other = DataLoader(data, batch_size={size}), DataLoader(more, batch_size=8)\n"


@pytest.mark.oracle
def test_every_length_of_the_loops_agrees() -> None:
    torch = pytest.importorskip("torch")
    made = programs()
    text = HEAD.format(rows=30) + CALLS.format(size=5) + "epochs = int(input())\n" + "".join(text for text, _ in made.values())
    text += "".join(f"found_{name} = {name}(loader, other, epochs)\n" for name in made)
    found = lower(text).module.attrs
    for name, (source, stays) in made.items():
        value = found[f"found_{name}"]
        assert isinstance(value, TensorVal), source
        shape = value.shape
        if stays:
            assert not isinstance(shape, Unknown), source
            assert len(shape) == 2, source
            assert not isinstance(value.dtype, Unknown), source
            assert shape[-1] == 3, source
        for epochs in (0, 1, 2):
            real = _run(torch, source, name, epochs)
            if isinstance(shape, Unknown) or real is None:
                continue
            assert len(real) == len(shape), (source, epochs)
            numbers = [(size, wanted) for size, wanted in zip(shape, real, strict=True) if isinstance(size, int)]
            assert all(size == wanted for size, wanted in numbers), (source, epochs, real)


def _run(torch: Any, source: str, name: str, epochs: int) -> tuple[int, ...] | None:
    """The shape that is left; ``None`` if the program raises."""
    space: dict[str, Any] = {"torch": torch}
    exec(source, space)
    first, second = ([(part,) for part in torch.zeros(rows, 3).split(size)] for rows, size in ((30, 5), (20, 8)))
    try:
        return tuple(space[name](first, second, epochs).shape)
    except Exception:
        return None


def test_a_batch_stays_a_batch() -> None:
    text = HEAD.format(rows=30) + CALLS.format(size="int(input())").replace("8)", "int(input()))")
    loops = """
for epoch in range(int(input())):
    for (x,) in loader:
        y = x + 1
    for (x,) in other:
        y = x + 2
"""
    found = lower(text + loops + "z = y * 2\n").module.attrs
    for name in ("x", "y", "z"):
        assert isinstance(found[name], TensorVal)
        assert all(map(is_known, found[name].shape)), name
        assert len(found[name].shape) == 2
