"""What operations ask of an input of unknown rank: torch takes no other rank, and what was made of the input before is told
for the shape that shows later."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from itertools import product
from typing import Any, Final

import pytest

from dllint.domains.atoms import Symbol
from dllint.domains.dim import Dim, DimExpr, symbols
from dllint.domains.lattice import Unknown
from dllint.domains.shape import Shape
from dllint.domains.substitution import substitute
from dllint.ir.program import TensorVal
from tests.lower.tracing import lower

#: What is made of ``x`` first, and what then asks for its rank.
_FIRST: Final = (
    "y = x", "y = torch.relu(x)", "y = 2 * x - 1", "y = x.unsqueeze(0)[0]", "y = torch.tanh(x).contiguous()", "y = x * x",
    "y = nn.Linear(6, 6)(x)", "y = x.transpose(-1, -2).transpose(-2, -1)", "y = F.normalize(x, dim=-1)",
)  # fmt: skip
_ASKING: Final = (
    "torch.mm(y, torch.zeros(6, 5))", "torch.mm(torch.zeros(5, 6), y)", "torch.bmm(y, y.transpose(1, 2))",
    "torch.addmm(torch.zeros(5), y, torch.zeros(6, 5))", "torch.baddbmm(torch.zeros(6, 6, 5), y, torch.zeros(6, 6, 5))",
    "y.permute(0, 2, 1)", "y.permute(1, 0)", "y.permute(0, 2, 3, 1)", "torch.einsum('bij,bjk->bik', y, y)",
    "torch.einsum('ij->j', y)", "rearrange(y, 'b c h w -> b (h w) c')", "rearrange(y, 'b (h d) -> b h d', h=2)",
    "rearrange(y, 'b n (h d) -> b h n d', h=3)", "y.gather(1, torch.zeros(2, 3, dtype=torch.long))",
    "torch.zeros_like(y).scatter_(1, torch.zeros(2, 1, dtype=torch.long), 1.0)", "torch.cat([torch.zeros(6, 1, 6), y], dim=1)",
    "torch.cat([y, torch.zeros(6, 2)], -1)", "torch.mv(y, torch.zeros(6))",
)  # fmt: skip
_HEADER: Final = "import torch\nimport torch.nn.functional as F\nfrom torch import nn\nfrom einops import rearrange\n"
_SIDE: Final = 6


def _bodies() -> dict[str, str]:
    return {
        f"Case{number}": f"{first}\nz = {asking}\nreturn z" for number, (first, asking) in enumerate(product(_FIRST, _ASKING))
    }


@pytest.mark.oracle
def test_torch_takes_no_other_rank() -> None:
    torch, einops = pytest.importorskip("torch"), pytest.importorskip("einops")
    bodies = _bodies()
    namespace: dict[str, Any] = {"torch": torch, "F": torch.nn.functional, "nn": torch.nn, "rearrange": einops.rearrange}
    exec("\n".join(f"def {name}(x):\n{textwrap.indent(body, '    ')}" for name, body in bodies.items()), namespace)
    source = "".join(
        f"class {name}(nn.Module):\n    def forward(self, x):\n{textwrap.indent(body, ' ' * 8)}\n"
        for name, body in bodies.items()
    )
    lowered = lower(_HEADER + source)
    programs = {program.entry.partition(".")[0]: program for program in lowered.programs}
    wrong, known = [], 0
    for name, body in bodies.items():
        program = programs[name]
        (x,) = program.inputs
        assert not [op for op in program.ops if op.faults], body
        if isinstance(x.shape, Unknown):
            continue
        known += 1
        for rank in range(6):
            real = _shape_of(namespace[name], torch.zeros((_SIDE,) * rank))
            if rank != len(x.shape) and real is not None:
                wrong.append(f"{body}: {x.shape}, but torch takes rank {rank}")
            if rank == len(x.shape) and real is not None and not _fits(x.shape, program.results, real):
                wrong.append(f"{body}: {program.results} {real}")
    assert wrong == []
    assert known > 0.85 * len(bodies), known


def _shape_of(function: Any, x: Any) -> tuple[int, ...] | None:
    """The shape of a result; ``None`` if torch takes no such input."""
    try:
        return tuple(function(x).shape)
    except (RuntimeError, IndexError, ValueError, NotImplementedError, TypeError) as _:
        return None
    except Exception as error:
        if type(error).__name__ == "EinopsError":
            return None
        raise


def _fits(given: Shape, result: Any, real: Shape) -> bool:
    """Whether a type tells the shape of a run in which every size of the input is the same."""
    if not isinstance(result, TensorVal) or isinstance(result.shape, Unknown) or len(result.shape) != len(real):
        return False
    numbers = {symbol: number for size in given for symbol, number in _solved(size)}
    sizes = [substitute(n, numbers) if isinstance(n, DimExpr) else n for n in result.shape]
    return all(not isinstance(n, int) or n == other for n, other in zip(sizes, real, strict=True))


def _solved(size: Dim) -> Iterator[tuple[Symbol, int]]:
    """The symbol in a size with the number for which the size is that of the runs."""
    for symbol in symbols(size):
        found = [n for n in range(1, _SIDE + 1) if isinstance(size, DimExpr) and substitute(size, {symbol: n}) == _SIDE]
        yield from ((symbol, n) for n in found)


_CONDITIONS: Final = ("x.dim() == {rank}", "x.ndim == {rank}", "len(x.shape) == {rank}", "flag")


def _branches() -> Iterator[tuple[str, str]]:
    asking = ("x.permute(0, 2, 1)", "torch.einsum('bij->bji', x)", "rearrange(x, 'b h d -> b d h')", "x.bmm(x.transpose(1, 2))")
    for condition, one in product(_CONDITIONS, asking):
        yield condition.format(rank=3), f"x = {one}"


@pytest.mark.parametrize(("condition", "then"), list(_branches()))
def test_what_one_arm_asks_is_no_fault_in_the_other(condition: str, then: str) -> None:
    source = f"""
class Net(nn.Module):
    def forward(self, x, flag):
        y = x
        if {condition}:
            {then}
        else:
            x = x.permute(0, 2, 3, 1).flatten(1, 2)
        return x, y.unsqueeze(0)
"""
    lowered = lower(_HEADER + source)
    assert not [op for program in lowered.programs for op in program.ops if op.faults]


#: Spellings of a question about the rank: statements before the branch, and the condition.
_ASKED: Final = {
    "itself": ("", "x.dim() == 3"),
    "variable": ("three = len(x.shape) == 3", "three"),
    "rank in a variable": ("rank = x.ndim", "rank == 3"),
    "helper": ("", "is_batched(x)"),
    "method": ("", "self.is_batched(x)"),
    "negated": ("flat = x.dim() != 3", "not flat"),
    "several": ("three = x.dim() in (3, 5)", "three and flag is not None"),
    "either": ("three = x.dim() > 2", "flag == 'a' and three"),
}
_SECOND: Final = ("torch.mm(x, torch.zeros(4, 4))", "x.permute(1, 0)", "torch.einsum('ij->ji', x)")


@pytest.mark.parametrize("asked", _ASKED)
@pytest.mark.parametrize("second", _SECOND)
def test_a_question_about_the_rank_may_be_spelled_in_any_way(asked: str, second: str) -> None:
    before, condition = _ASKED[asked]
    source = f"""
def is_batched(value):
    return value.dim() == 3


class Net(nn.Module):
    def is_batched(self, value):
        return is_batched(value)

    def forward(self, x, flag):
        {before}
        if {condition}:
            x = x.permute(0, 2, 1)
        if not ({condition}):
            x = {second}
        return x
"""
    lowered = lower(_HEADER + source)
    assert not [op for program in lowered.programs for op in program.ops if op.faults]
