"""What an operation demands of a tensor that is made in the arms of a branch tells its rank only if one arm alone has one that
will do: against real runs of every arm."""

from __future__ import annotations

import warnings
from itertools import combinations
from typing import Final

import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from tests.lower.tracing import lower

_CALLS: Final = (
    "F.lp_pool1d({}, 2, 2)",
    "F.lp_pool2d({}, 2, 2)",
    "F.max_pool1d({}, 2)",
    "F.max_pool2d({}, 2)",
    "F.avg_pool1d({}, 2)",
    "F.avg_pool2d({}, 2)",
    "F.avg_pool3d({}, 2)",
    "F.adaptive_avg_pool1d({}, 2)",
    "F.adaptive_max_pool2d({}, 2)",
    "torch.nn.Conv1d(4, 2, 1)({})",
    "torch.nn.Conv2d(4, 2, 1)({})",
    "torch.nn.ConvTranspose2d(4, 2, 1)({})",
    "torch.nn.BatchNorm2d(4)({})",
    "torch.nn.InstanceNorm1d(4)({})",
    "torch.nn.LSTM(4, 2)({})[0]",
    "torch.nn.GRU(4, 2, batch_first=True)({})[0]",
)

#: A tensor of ``RANK`` axes, as it is and after operations that keep its shape.
_MAKERS: Final = ("torch.ones((4,) * RANK)", "torch.relu(torch.ones((4,) * RANK))")

_ARMS: Final = (*combinations(range(1, 6), 2), (2, 3, 4), (1, 3, 4), (1, 2, 5))


def _arm(place: int, rank: int) -> str:
    return _MAKERS[place % len(_MAKERS)].replace("RANK", str(rank))


def _runs(call: str, rank: int) -> bool:
    import torch

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            eval(call.format(_arm(0, rank)), {"torch": torch, "F": torch.nn.functional})
    except Exception:
        return False
    return True


@pytest.mark.oracle
@pytest.mark.parametrize("call", _CALLS)
def test_ranks_of_arms(call: str) -> None:
    pytest.importorskip("torch")
    lines = ["import torch", "import torch.nn.functional as F"]
    runs = {rank for rank in range(1, 6) if _runs(call, rank)}
    assert runs
    for number, ranks in enumerate(_ARMS):
        *others, last = [_arm(number + place, rank) for place, rank in enumerate(ranks)]
        choice = "".join(f"{arm} if u() else " for arm in others) + last
        taken = f"torch.tanh(d{number})" if number % 3 == 0 else f"d{number}"
        lines += [f"d{number} = {choice}", f"y{number} = {call.format(taken)}"]
    held = lower("\n".join(lines)).module.attrs
    known = 0
    for number, ranks in enumerate(_ARMS):
        fitting = runs.intersection(ranks)
        for name in (f"d{number}", f"y{number}"):
            value = held[name]
            if fitting and isinstance(value, TensorVal) and not isinstance(value.shape, Unknown):
                assert {len(value.shape)} == fitting, f"{name}: {value.shape} for {ranks}, of which {fitting} run"
                known += 1
    assert known
