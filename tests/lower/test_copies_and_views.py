"""Which tensors are views, which are copies, which the tensor itself, and how they are laid out; told of runs of torch."""

from __future__ import annotations

from itertools import product

import pytest

from tests.lower.against_runs import refuted

pytest.importorskip("torch")
pytestmark = pytest.mark.oracle


def _program(*lines: str) -> str:
    return "\n".join(("import torch", "import torch.nn.functional as F", "torch.manual_seed(3)", *lines, ""))


_MADE = ("torch.randn(2, 3).t()", "torch.randn(2, 3)", "torch.randn(4, 6)[::2, ::2]", "torch.randn(3, 3)")
_SAME = ("x.reshape(-1)", "x.flatten()", "torch.ravel(x)", "x.contiguous()", "x.float()", "x.double()", "x.positive()", "+x",
         "F.dropout(x, training=False)", "x.to(x.dtype)", "x.detach()", "x.t()", "x.resolve_conj()", "torch.atleast_1d(x)",
         "torch.atleast_3d(x)")  # fmt: skip
_WRITES = ("fill_(1)", "mul_(0)", "clamp_(min=3)", "squeeze_(0)", "unsqueeze_(0)", "geometric_(0.5)")


@pytest.mark.sampled(every=6)
@pytest.mark.parametrize(("made", "same", "write"), list(product(_MADE, _SAME, _WRITES)))
def test_a_write_to_what_may_be_a_copy(made: str, same: str, write: str) -> None:
    assert not refuted(_program(f"x = {made}", f"y = {same}.{write}", "z = x * 2", "w = x.abs().sqrt()"))
    assert not refuted(_program(f"x = {made}", f"y = {same}", "y *= 2", f"y.{write}", "z = x * 2", "x.square_()"))


_RELATED = ("torch.softmax(x, -1)", "x - x.amax(-1, keepdim=True)", "F.one_hot(torch.arange(3)).float()", "x.square()",
            "F.normalize(x, dim=-1)", "x - x.mean()", "x.exp()")  # fmt: skip
_THROUGH = ("y.detach().zero_()", "y.view(-1).fill_(-2)", "y.data.mul_(-3)", "y.t().neg_()", "y[0].sub_(5)")
_ASKED = ("y.sum(-1)", "y.sum()", "(y - y.max()).exp().sum(-1)", "y * y", "y.norm(dim=-1)", "y.mean(-1)", "y.amax(-1)")


@pytest.mark.sampled(every=8)
@pytest.mark.parametrize(("made", "write", "asked"), list(product(_RELATED, _THROUGH, _ASKED)))
def test_what_elements_have_in_common_is_gone_when_they_are_written(made: str, write: str, asked: str) -> None:
    assert not refuted(_program("x = torch.randn(3, 3)", f"y = {made}", write, f"z = {asked}", "w = z + 1"))


_FORMATTED = ("x.to({})", "x.to(torch.float64, {})", "x.to('cpu', {})", "x.clone({})", "x.contiguous({})", "x.float({})",
              "torch.zeros_like(x, {})", "x.cpu({})", "torch.clone(x, {})", "torch.empty((2, 4, 6, 6), {})",
              "torch.full_like(x, 2, {})")  # fmt: skip


@pytest.mark.parametrize("call", _FORMATTED)
@pytest.mark.parametrize("asked", ["torch.channels_last", "torch.contiguous_format"])
def test_a_memory_format_that_is_asked_for(call: str, asked: str) -> None:
    made = call.format(f"memory_format={asked}")
    assert not refuted(_program("x = torch.rand(2, 4, 6, 6)", f"y = {made}", "z = x + 1", "w = torch.stack([x, x])"))


@pytest.mark.parametrize("order", ["0, 3, 1, 2", "0, 1, 2, 3", "3, 2, 1, 0"])
@pytest.mark.parametrize("dim", [0, 1, 2, 3, 4])
def test_stacked_images_are_laid_out_as_they_are(order: str, dim: int) -> None:
    assert not refuted(_program(f"x = torch.rand(2, 4, 5, 3).permute({order})", f"y = torch.stack([x, x], {dim})", "z = y + 1"))
    assert not refuted(_program("x = torch.rand(4, 5, 3).permute(2, 0, 1)", f"y = torch.stack([x, x], {min(dim, 3)})"))


@pytest.mark.parametrize("axes", [1, 2, 3])
@pytest.mark.parametrize(
    "made", ["torch.tensor(2.0)", "torch.rand(3)", "torch.rand(0, 3)", "torch.rand(4, 2, 3).permute(2, 0, 1)"]
)
def test_axes_that_are_added_where_there_are_too_few(made: str, axes: int) -> None:
    for then in ("y += 5", "y.squeeze_()", "x.fill_(7)", "v = torch.nn.AdaptiveAvgPool1d(2)(y) if y.dim() in (2, 3) else y"):
        assert not refuted(_program(f"x = {made}", f"y = torch.atleast_{axes}d(x)", then, "z = x + 1", "w = y * 2"))
    several = f"y, z = torch.atleast_{axes}d([x, torch.rand(2, 3)])"
    assert not refuted(_program(f"x = {made}", several, "y += 4", "w = x + 0", "v = z.sum()"))
