"""Sizes that known ones decide without a formula: known by name, and equal to nothing."""

from __future__ import annotations

import pytest

from dllint.domains.dim import Dim, counted, equal, is_known, opaque, symbol
from dllint.domains.lattice import Unknown
from dllint.domains.shape import broadcast, join_dims
from dllint.domains.unsolved import unsolved
from dllint.ir.program import TensorVal
from tests.frameworks.library_programs import inferred

KNOWN: tuple[Dim, ...] = (3, symbol("B"), counted("rows"), symbol("C") * 2 + 1)


@pytest.mark.parametrize("a", KNOWN)
@pytest.mark.parametrize("b", KNOWN)
def test_which_of_two_known_sizes_it_is_the_run_decides(a: Dim, b: Dim) -> None:
    joined = join_dims(a, b)
    assert is_known(joined)
    assert joined is a or a != b
    if a != b:
        assert equal(joined, a) is not False or isinstance(a, int)
        assert equal(joined, join_dims(a, b)) is not True


@pytest.mark.parametrize("a", KNOWN)
def test_nothing_is_known_of_what_depends_on_what_is_not_modelled(a: Dim) -> None:
    assert not is_known(join_dims(a, opaque()))
    assert not is_known(unsolved("size", (a, opaque())))
    assert is_known(unsolved("size", (a,)))


def test_the_size_of_a_broadcast_of_counts_is_known() -> None:
    shape, conflict = broadcast([(counted("rows"),), (counted("rows"),)])
    assert conflict is None
    assert is_known(shape[0])


PROGRAMS = {
    "a branch": "x = torch.zeros(5) if input() else torch.zeros(6)",
    "a loop": "x = torch.zeros(5)\nfor _ in range(int(input())):\n    x = torch.cat((x, torch.ones(2)))",
    "a rest": "x = torch.zeros(len(open('a').read()), 3).reshape(-1, 4)",
    "a range": "n = len(open('a').read())\nx = torch.arange(0, 10 * n, n)",
    "a sum": "x = torch.zeros(sum(len(line) for line in open('a')))",
}


@pytest.mark.parametrize("layer", ["", ".clone()", ".contiguous() * 2"])
@pytest.mark.parametrize("program", PROGRAMS)
def test_sizes_that_a_run_decides_are_known_by_name(program: str, layer: str) -> None:
    out = inferred(f"import torch\n{PROGRAMS[program]}\nout = x{layer}\n")
    assert isinstance(out, TensorVal)
    assert not isinstance(out.shape, Unknown)
    assert all(map(is_known, out.shape))


@pytest.mark.parametrize("program", PROGRAMS)
@pytest.mark.parametrize("use", ["x + torch.zeros(x.shape)", "torch.cat((x, x))", "x[:2]", "x.unsqueeze(0)"])
def test_no_fault_is_told_of_them(program: str, use: str) -> None:
    inferred(f"import torch\n{PROGRAMS[program]}\nout = {use}\n")
