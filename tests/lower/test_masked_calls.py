"""Calls with masks, positions and other tensors that are broadcast to one that is changed, those that raise beside those that
run, against runs."""

from __future__ import annotations

import pytest

from tests.lower.against_runs import check

pytest.importorskip("torch")
pytestmark = pytest.mark.oracle

_REDUCTIONS = ("sum", "prod", "mean", "amax", "amin", "argmax", "argmin", "logsumexp", "var", "std", "median", "norm")
_ALONG = ("softmax", "log_softmax", "softmin", "cumsum", "cumprod", "normalize")


@pytest.mark.parametrize("name", [*_REDUCTIONS, *_ALONG])
@pytest.mark.parametrize("given", [
    "0", "-1", "2", "-3", "0, mask=torch.ones(3).bool()", "1, mask=torch.ones(3, 1).bool()", "1, mask=None", "1, mask=0.5",
    "0, mask=torch.ones(4, 3).bool()", "0, mask=torch.ones(1, 3, 3).bool()", "1, mask=torch.ones(2, 1).bool()",
])  # fmt: skip
def test_masks_of_torch(name: str, given: str) -> None:
    first = "2, " if name in ("norm", "normalize") else ""
    check(f"import torch\nx = torch.rand(3, 3)\ny = torch.masked.{name}(x, {first}{given})\nz = y + 1\n")


@pytest.mark.parametrize("name", ["sum", "amax", "mean", "var", "logsumexp"])
@pytest.mark.parametrize("axes", ["()", "(0,)", "(0, 1)", "None", "(0, 0)", "[1]", "(0, 2)"])
@pytest.mark.parametrize("kept", ["", ", keepdim=True"])
def test_axes_of_masked_reductions(name: str, axes: str, kept: str) -> None:
    check(f"import torch\nx = torch.rand(3, 4)\ny = torch.masked.{name}(x, {axes}{kept})\nz = y.shape\n")


@pytest.mark.parametrize("form", ["x.put_({})", "torch.put(x, {})", "x.put({}, accumulate=True)"])
@pytest.mark.parametrize("given", [
    "torch.tensor([0]), torch.ones(2)", "torch.tensor([0, 2]), torch.ones(2)", "torch.tensor([[0, 2]]), torch.ones(2)",
    "torch.tensor(1), torch.ones(1, 1)", "torch.tensor([0]), torch.ones(1, dtype=torch.float64)",
    "torch.tensor([0, 1]), torch.ones(3)", "torch.zeros(0).long(), torch.ones(0)", "torch.tensor([1]), torch.ones(1) * 30",
])  # fmt: skip
def test_elements_put_to_positions(form: str, given: str) -> None:
    check(f"import torch\nx = torch.zeros(3)\ny = {form.format(given)}\nz = x + 1\nw = y + 1\n")


@pytest.mark.parametrize("form", ["x.masked_scatter_({})", "torch.masked_scatter(x, {})", "x.masked_scatter({})"])
@pytest.mark.parametrize("mask", ["torch.ones(3, 3).bool()", "torch.ones(3).bool()", "torch.ones(3, 3).byte()",
                                  "torch.ones(2, 3).bool()", "torch.ones(2, 3, 3).bool()"])  # fmt: skip
@pytest.mark.parametrize("source", ["torch.ones(18)", "torch.ones(18).double()", "torch.full((18,), 40.0)"])
def test_elements_put_where_a_mask_holds(form: str, mask: str, source: str) -> None:
    check(f"import torch\nx = torch.zeros(3, 3)\ny = {form.format(f'{mask}, {source}')}\nz = y + 1\n")


@pytest.mark.parametrize("name", ["hypot_", "heaviside_", "xlogy_", "nextafter_", "copysign_", "fmod_", "atan2_"])
@pytest.mark.parametrize("shapes", [("5, 5", "10, 5"), ("5, 5", "1, 5"), ("5, 5", "5"), ("()", "2, 3"), ("1, 5", "5, 5"),
                                    ("5, 5", "()"), ("5, 5", "1, 5, 5")])  # fmt: skip
def test_other_tensors_are_broadcast_to_the_one_that_is_changed(name: str, shapes: tuple[str, str]) -> None:
    x, other = (f"torch.rand(({shape}))" if shape != "5" else "torch.rand(5)" for shape in shapes)
    check(f"import torch\nx = {x}\ny = x.{name}({other})\nz = y + 1\n")


@pytest.mark.parametrize("call", ["torch.meshgrid({})", "torch.meshgrid([{}], indexing='ij')", "torch.cartesian_prod({})"])
@pytest.mark.parametrize("given", ["x, x[0]", "x[0], x[1]", "x[0, 0], x[0]", "x[0]", "x"])
def test_grids_are_made_of_vectors(call: str, given: str) -> None:
    check(f"import torch\nx = torch.rand(4, 3)\ny = {call.format(given)}\n")


@pytest.mark.parametrize("weight", ["(4,)", "(1, 4)", "(2, 2)", "(3,)", "(4, 2)"])
@pytest.mark.parametrize("spatial", ["", "5, 5", "5, 5, 2, 2"])
def test_weights_of_classes(weight: str, spatial: str) -> None:
    space = f", {spatial}" if spatial else ""
    text = f"x = torch.rand(2, 4{space})\ny = torch.zeros(2{space}, dtype=torch.int64)"
    check(f"import torch\n{text}\nz = torch.nn.NLLLoss(weight=torch.ones({weight}))(x, y)\n")


@pytest.mark.parametrize("dtype", ["uint8", "int8", "int32", "float32"])
@pytest.mark.parametrize("loss", ["L1Loss", "SmoothL1Loss", "HuberLoss"])
def test_differences_of_whole_numbers_without_a_sign(dtype: str, loss: str) -> None:
    text = f"x = torch.randint(0, 6, (9,)).to(torch.{dtype})\ny = torch.randint(0, 8, (9,)).to(torch.{dtype})"
    if dtype == "float32" or loss == "L1Loss":
        check(f"import torch\n{text}\nz = torch.nn.{loss}(reduction='none')(x, y)\n")
