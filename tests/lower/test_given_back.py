"""Functions of torch that give their operand back: what becomes of their result becomes of it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import pytest

from dllint.domains.lattice import Unknown
from tests.lower.tracing import program

torch = pytest.importorskip("torch")

_SHAPES: Final = ((), (3,), (2, 3), (2, 3, 4))
#: Functions that give something else, or a setting of the whole library (``set_printoptions``) another value.
_SKIPPED: Final = ("numel", *(name for name in dir(torch) if name.startswith("set_")))


def _giving_back() -> Iterator[tuple[str, tuple[int, ...]]]:
    """Calls of functions and methods with a tensor alone that return the tensor itself."""
    for space, form in ((torch, "torch.{}(x)"), (torch.Tensor, "x.{}()")):
        for name in dir(space):
            function: Any = getattr(space, name)
            if name.endswith("_") or name.startswith("_") or name in _SKIPPED or isinstance(function, type):
                continue
            yield from ((form.format(name), shape) for shape in _SHAPES if _gives_back(function, shape))


def _gives_back(function: Any, shape: tuple[int, ...]) -> bool:
    x = torch.ones(shape)
    try:
        return function(x) is x
    except Exception:
        return False


@pytest.mark.oracle
@pytest.mark.filterwarnings("ignore")
def test_a_result_that_is_the_operand_takes_it_along() -> None:
    wrong, calls = [], list(_giving_back())
    for call, shape in calls:
        text = f"import torch\nx = torch.ones({shape})\nz = {call}\nz.data = torch.zeros(7, 5)\ny = x + 0\n"
        found = program(text).ops[-1].output.shape
        if not isinstance(found, Unknown) and found != (7, 5):
            wrong.append(f"{call} of {shape}: {found}")
    assert len(calls) > 50
    assert not wrong, "\n".join(wrong)
