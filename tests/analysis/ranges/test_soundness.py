"""Random programs lie in the ranges inferred for them: a small share of what ``benchmarks.numeric.soundness`` runs."""

from __future__ import annotations

import pytest

pytest.importorskip("torch")

from benchmarks.numeric.soundness.check import check
from benchmarks.numeric.soundness.generator import HEADER, Line, Program, generate

#: Programs that once had results outside their ranges, as statements with the variable that each makes or changes.
FOUND = {
    "an open end is reached by rounding": (("h", "h = torch.rand((4, 4), dtype=torch.float16) * 1 - 2"),),
    "a row is changed in place": (("a", "a = torch.rand(3, 4) * 0.1 + 10"), ("a", "a[0].mul_(-2)")),
    "a method fills its receiver": (("a", "a = torch.rand(3, 4) * 0.1 + 10"), ("a", "a.zero_()")),
    "a view sees what its base becomes": (
        ("a", "a = torch.ones(3, 4)"),
        ("v", "v = a[0]"),
        ("a", "a += 5"),
        ("b", "b = v * 1"),
    ),
    "a negative zero": (("a", "a = torch.tensor([0.5, -0.75])"), ("b", "b = torch.rsqrt(a * (a > 0.1))")),
    "no axis": (
        ("a", "a = torch.rand(6).sum()"),
        ("b", "b = torch.softmax(a.mean(-1), dim=-1)"),
        ("c", "c = b.transpose(0, -1)"),
    ),
    "an inverse below its domain": (("a", "a = torch.randn(6, requires_grad=True)"), ("b", "b = torch.acosh(a)")),
    "a power of negative infinity": (("a", "a = torch.log(torch.zeros(4))"), ("b", "b = a ** 1.7")),
    "a number of the source in half precision": (
        ("a", "a = torch.full((4,), 10, dtype=torch.bfloat16)"),
        ("a", "a *= 1e-10"),
        ("b", "b = torch.full((4,), 2.25, dtype=torch.bfloat16) * 0.9"),
    ),
    "the sine of 0": (("a", "a = torch.sin(torch.rand(4).double())"),),
    "an element becomes one of half precision": (
        ("a", "a = torch.zeros((4,), dtype=torch.bfloat16)"),
        ("a", "a[0] = -7.3"),
    ),
    "a literal of half precision": (
        ("a", "a = torch.tensor([0.0, -7.3], dtype=torch.float16)"),
        ("b", "b = a * a"),
    ),
    "a power that underflows": (("a", "a = torch.rand(2, 6) * 2 + -2"), ("b", "b = a.pow(100)")),
    "the larger of 0 and what is below": (("a", "a = torch.rand(2, 6) - 1"), ("b", "b = nn.ReLU()(a)")),
    "a product that is added unrounded": (
        ("a", "a = torch.rand(5) * 1e-3 + 1"),
        ("b", "b = torch.add(a, a, alpha=1e4)"),
    ),
    "the reciprocal times a number": (
        ("a", "a = torch.ones((6,), dtype=torch.bfloat16)"),
        ("a", "a.div_(3)"),
        ("b", "b = 0.1 / a"),
    ),
    "what is stated holds before the loop": (
        ("a", "a = torch.randn((2, 6))  # dllint: range a in [-3, -0.5]"),
        ("", "rounds = 0"),
        ("", "while a.abs().sum() > 0.5 and rounds < 6:"),
        ("a", "    a = a + 1"),
        ("", "    rounds += 1"),
    ),
    "a loop of no passes": (
        ("a", "a = torch.arange(0, 6).float()"),
        ("", "rounds = 0"),
        ("", "while not (a > -2).all() and rounds < 6:"),
        ("a", "    a = a * 0.9"),
        ("", "    rounds += 1"),
        ("a", "a.add_(a)"),
    ),
    "multiples of what a loop replaces": (
        ("a", "a = torch.rand(2, 3, 4)"),
        ("a", "a += -0.25"),
        ("b", "b = torch.randn(6)"),
        ("", "rounds = 0"),
        ("", "while b.max() > -2 and rounds < 6:"),
        ("a", "    a = a * 0.5 + a"),
        ("", "    rounds += 1"),
    ),
    "a sum of products started with a bias": (
        ("a", "a = torch.randn((2, 3, 4), requires_grad=True)  # dllint: range a in [0, 100]"),
        ("b", "b = F.linear(a, torch.full((2, 4), 1e-10), torch.tensor([1e-10, 1e-3]))"),
    ),
    "an open end rounded to decimals": (
        ("a", "a = torch.rand(6) - 1"),
        ("b", "b = -torch.round(a, decimals=2)"),
    ),
    "an exponent of single precision": (
        ("a", "a = torch.rand(2, 6).clamp(1e-7, 4)"),
        ("b", "b = a ** 1.7"),
    ),
    "half precision computed in single precision": (
        ("a", "a = torch.full((4, 4), 1e-7, dtype=torch.bfloat16)"),
        ("b", "b = a * 0.9"),
        ("c", "c = (torch.rand(1, 2, 6, 6) * 1e-6 + 1e-10).to(torch.bfloat16) * 0.9"),
    ),
    "a cast rounds": (
        ("a", "a = torch.randn((3, 4), requires_grad=True)"),
        ("b", "b = a.half().float()"),
        ("b", "b -= a"),
    ),
    "a view is changed before a loop": (
        ("a", "a = torch.rand((2, 3, 4)) + 1"),
        ("b", "b = torch.rand(2, 6)"),
        ("d", "d = a.diagonal()"),
        ("d", "d[0] = -0.25"),
        ("", "rounds = 0"),
        ("", "while b.mean() < b.mean() and rounds < 6:"),
        ("a", "    a = F.softmax(a, dim=-1)"),
        ("", "    rounds += 1"),
        ("c", "c = a[1:]"),
    ),
    "an argument that is multiplied first": (("a", "a = F.softplus((-7.3 + 1 - torch.zeros(2, 3)), beta=10)"),),
    "a method in place keeps the element type": (
        ("a", "a = torch.rand(2, 6)"),
        ("b", "b = (torch.rand(2, 6) * 2 + 0.1).to(torch.float16)"),
        ("b", "b.sub_(a, alpha=2)"),
    ),
    "the end of a domain behind a condition": (
        ("a", "a = torch.randn(6, requires_grad=True).abs()"),
        ("", "if torch.all(a > 0):"),
        ("b", "    b = torch.acosh(a)"),
    ),
    "multiples of what is rounded": (
        ("a", "a = torch.randn(6, requires_grad=True)"),
        ("b", "b = torch.div(torch.sin(a), 2, rounding_mode='floor')"),
        ("c", "c = torch.rand(6) * 0.5 + b"),
        ("c", "c = c * 0.5 + b"),
    ),
    "the sum of what no element is picked for": (
        ("a", "a = torch.rand(2, 3) + 1"),
        ("b", "b = a[a > 2].sum()"),
    ),
    "powers of whole numbers": (
        ("a", "a = torch.rand(3, 4) + 1"),
        ("b", "b = -2 ** torch.count_nonzero(a)"),
    ),
    "a quotient in half precision": (
        ("a", "a = torch.ones((5,), dtype=torch.bfloat16)"),
        ("b", "b = (100 - a) / 0.1"),
    ),
    "the results of meshgrid are views": (
        ("a", "a = torch.rand(6) - 0.25"),
        ("b", "b = torch.meshgrid(a, a, indexing='ij')[0]"),
        ("a", "a[0] += 0.5"),
        ("b", "b = b * 0.5 + b"),
    ),
    "elements assigned in a loop of no passes": (
        ("a", "a = torch.randn(3, 4).clamp(-2, 2)"),
        ("b", "b = torch.zeros(6)"),
        ("", "rounds = 0"),
        ("", "while (b > 1).any() and rounds < 6:"),
        ("a", "    a[0] = a[0] + 1e-3"),
        ("", "    rounds += 1"),
    ),
    "a view of what a loop leaves is changed": (
        ("w", "w = torch.randn((6,), requires_grad=True)"),
        ("p", "p = torch.tanh(w) * 2"),
        ("", "rounds = 0"),
        ("", "while w.abs().sum() > 10 and rounds < 6:"),
        ("p", "    p *= 0.5"),
        ("", "    rounds += 1"),
        ("f", "f = p[-1]"),
        ("f", "f.fill_(-2)"),
    ),
    "a quotient cut off": (
        ("a", "a = torch.rand(2, 6) * 1e-6 + -0.5"),
        ("b", "b = torch.div(a, 1e-3, rounding_mode='trunc')"),
    ),
    "squares that underflow in a loop": (
        ("a", "a = torch.randn((3, 4), dtype=torch.float16)"),
        ("", "for step in range(3):"),
        ("a", "    a = a * a"),
        ("b", "b = a.bool().float()"),
    ),
    "products of two negative numbers": (
        ("a", "a = (torch.rand(5,) * 0.1 + -0.5).clamp(-0.5, 4)"),
        ("b", "b = a.cumprod(-1)"),
    ),
    "a sum of elements of which there may be none": (
        ("w", "w = torch.randn((6,), requires_grad=True)"),
        ("a", "a = w[w > 1e4]"),
        ("b", "b = a.masked_scatter(a > 0, a)"),
        ("c", "c = b.sum()"),
    ),
    "a negative power of whole numbers": (
        ("w", "w = torch.randn((3, 4), requires_grad=True)"),
        ("a", "a = torch.count_nonzero(w)"),
        ("b", "b = 10 ** (1 - a)"),
    ),
    "products of rows of which there may be none": (
        ("a", "a = torch.randn((2, 3, 4), dtype=torch.bfloat16)"),
        ("b", "b = torch.sigmoid((a[a > 0.5]))"),
        ("c", "c = b @ b"),
    ),
    "a factor that is rounded": (
        ("a", "a = torch.zeros(3)"),
        ("b", "b = torch.full((3,), 3.0)"),
        ("c", "c = torch.add(a, b, alpha=-7.3)"),
    ),
    "a copy that is none, turned, and its source changed": (
        ("a", "a = torch.tensor([[0.0, 1e-10], [100, 1.5]], dtype=torch.float32)"),
        ("b", "b = a.float()"),
        ("b", "b.t_()"),
        ("a", "a.neg_()"),
        ("c", "c = torch.deg2rad(b)"),
    ),
    "a view of either arm is changed": (
        ("a", "a = torch.rand((2, 3, 4), dtype=torch.float64)"),
        ("b", "b = a.permute(*range(a.dim() - 1, -1, -1))"),
        ("", "if b.sum() > 100:"),
        ("b", "    b = F.softmax(b, dim=-1)"),
        ("b", "b[0] = b[0] + 1e-3"),
        ("c", "c = a.square()"),
    ),
}


def program(statements: tuple[tuple[str, str], ...]) -> Program:
    """A program of lines with the variable that each makes or changes; those in blocks are indented."""
    lines = [Line(text.strip(), name or None, int(text.startswith(" "))) for name, text in statements]
    return Program([*HEADER, *lines])


@pytest.mark.oracle
@pytest.mark.parametrize("statements", FOUND.values(), ids=FOUND)
def test_a_counter_example_stays_repaired(statements: tuple[tuple[str, str], ...]) -> None:
    verdict = check(program(statements), 0)
    assert verdict.statements
    assert verdict.counter_examples == []


@pytest.mark.oracle
@pytest.mark.parametrize("start", range(0, 120, 40))
def test_random_programs_lie_in_their_ranges(start: int) -> None:
    for seed in range(start, start + 40):
        verdict = check(generate(seed), seed)
        assert verdict.counter_examples == [], generate(seed).text
