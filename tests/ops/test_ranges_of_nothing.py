"""Ranges of what torch computes of tensors without elements, of masks that leave nothing, and of operands of two precisions."""

from __future__ import annotations

from itertools import product

import pytest

from tests.lower.against_runs import refuted

pytest.importorskip("torch")
pytestmark = pytest.mark.oracle


def _program(*lines: str) -> str:
    return "\n".join(("import torch", "import torch.nn.functional as F", "torch.manual_seed(3)", *lines, ""))


#: Sums, means and losses over an axis of ``a`` of shape (2, 0) or ``b`` of shape (0, 4).
_REDUCED = """a @ b;torch.einsum('ij,jk->ik', a, b);torch.tensordot(a, b, 1);F.linear(a, b.t());torch.bmm(a[None], b[None])
torch.addmm(torch.ones(2, 4), a, b);torch.inner(a, b.t());torch.cdist(a, b.t());a.sum(1);a.prod(1);a.norm(dim=1);a.mean(1)
F.cosine_similarity(a, a, dim=1);F.pairwise_distance(a, a);F.normalize(a, dim=1);torch.dot(a[0], a[0]);a.logsumexp(1)
F.scaled_dot_product_attention(torch.ones(2, 3), b[:, :3], b)
F.scaled_dot_product_attention(a, torch.ones(2, 0), torch.ones(2, 5));torch.mv(a, b[:, 0]);torch.nansum(a, 1)
torch.count_nonzero(a, dim=1);torch.dist(a, a);F.mse_loss(a, a, reduction='sum');F.soft_margin_loss(a, a)
F.multi_margin_loss(a.t(), torch.zeros(0).long());F.multilabel_margin_loss(a.t(), torch.zeros(0, 2).long())
F.multi_margin_loss(a.t().half(), torch.zeros(0).long(), reduction='sum');F.kl_div(a, a, reduction='sum')
F.embedding_bag(torch.zeros(3, 0).long(), torch.ones(4, 2) * 3, mode='sum');F.triplet_margin_loss(a, a, a)"""


@pytest.mark.parametrize("reduced", _REDUCED.replace("\n", ";").split(";"))
@pytest.mark.parametrize("number", [1, -3])
def test_over_an_axis_without_elements(reduced: str, number: int) -> None:
    made = f"a = torch.ones(2, 0) * {number}", "b = torch.ones(0, 4)"
    assert not refuted(_program(*made, f"y = {reduced}", "z = y * 2"))


@pytest.mark.parametrize("mask", ["torch.zeros(2, 3).bool()", "torch.tensor([[True, False, True], [False] * 3])",
                                  "torch.full((2, 3), float('-inf'))", "torch.zeros(2, 3)"])  # fmt: skip
def test_attention_to_nothing(mask: str) -> None:
    made = "q = torch.ones(2, 4)", "v = torch.rand(3, 4) + 5"
    assert not refuted(_program(*made, f"y = F.scaled_dot_product_attention(q, v, v, attn_mask={mask})", "z = y + 1"))


@pytest.mark.parametrize("types", list(product(("double", "float", "half", "bfloat16"), repeat=2)))
def test_operands_of_two_precisions(types: tuple[str, str]) -> None:
    made = f"x = (torch.rand(2, 3) * 0.5).{types[0]}()", f"y = (x * 1).{types[1]}()"
    for made_of in ("F.cosine_similarity(x, y, dim=-1)", "F.pairwise_distance(x, y)", "F.mse_loss(x, y)", "torch.maximum(x, y)",
                    "(x * y).sum() / (x.norm() * y.norm())", "torch.where(x > 0, x, y)"):  # fmt: skip
        assert not refuted(_program(*made, f"z = {made_of}"))


@pytest.mark.parametrize("order", ["1", "-1", "2", "3", "0.5", "-2", "1/3", "4.0"])
@pytest.mark.parametrize("made", ["torch.rand(1, 2, 6) * 17 - 8", "torch.rand(1, 2, 6) + 1", "-torch.rand(1, 2, 6)"])
def test_power_means_of_any_order(order: str, made: str) -> None:
    calls = f"y = F.lp_pool1d(x, {order}, 2)", f"z = torch.nn.LPPool1d({order}, 3)(x)"
    assert not refuted(_program(f"x = {made}", *calls))


@pytest.mark.parametrize("number", ["1e-46", "0.1", "70000.0", "-1e-30"])
@pytest.mark.parametrize("dtype", ["float16", "float32", "float64"])
def test_numbers_beside_elements_of_an_unknown_type(number: str, dtype: str) -> None:
    hidden = f"x = torch.diagonal_scatter(torch.zeros(2, 2), torch.zeros(2)).to(torch.{dtype})", "x = torch.polar(x, x).abs()"
    assert not refuted(_program(f"x = torch.zeros(3, dtype=torch.{dtype})", f"y = torch.fmod(x, x + 1).clamp(min={number})"))
    if dtype != "float16":
        assert not refuted(_program(*hidden, f"y = x.clamp(min={number})", f"z = torch.maximum(x, x * 0 + {number})"))
