"""Views of tensors by strides, by splits and by methods in place, what is written through them, and tensors that functions give
back as they are, in generated variants, against runs."""

from __future__ import annotations

import pytest

from tests.lower.against_runs import check

pytest.importorskip("torch")
pytestmark = pytest.mark.oracle


@pytest.mark.parametrize("made", ["torch.arange(12.0)", "torch.ones(12)", "torch.rand(3, 4) * 2", "torch.rand(3, 4).t()"])
@pytest.mark.parametrize("view", [
    "x.as_strided((3, 3), (1, 1))", "torch.as_strided(x, (3, 3), (0, 1))", "x.as_strided((2, 2), (4, 1), 2)",
    "x[1:].as_strided((2, 2), (1, 3))", "x.as_strided((2, 3), (1, 2)).t()",
])  # fmt: skip
@pytest.mark.parametrize("written", ["y[0] = -5", "y[0, 1] = 40", "y.fill_(-5)", "y[:1] *= 9", "x.fill_(7)"])
def test_writes_through_views_by_strides(made: str, view: str, written: str) -> None:
    check(f"import torch\nx = {made}\ny = {view}\n{written}\na = x * 1\nb = y * 1\nx.add_(100)\nc = y * 1\n")


@pytest.mark.parametrize("made", ["torch.ones(12)", "torch.rand(3, 4) + 1", "torch.zeros(3, 4).t()"])
@pytest.mark.parametrize("asked", [
    "(3, 4), (4, 1)", "(3, 5), (4, 1)", "(12,), (1,)", "(13,), (1,)", "(2, 2), (1, 2), 8", "(2, 2), (1, 2), storage_offset=9",
    "(3,), (4, 2)", "(3,), (-1,), 5", "(0, 40), (50, 2)", "(2, 2), (0, 0), 11",
])  # fmt: skip
@pytest.mark.parametrize("form", ["x.as_strided({})", "torch.as_strided(x, {})", "x.as_strided_({})"])
def test_views_lie_within_the_memory(made: str, asked: str, form: str) -> None:
    check(f"import torch\nx = {made}\ny = {form.format(asked)}\nz = y + 1\n")


@pytest.mark.parametrize("method", ["t_()", "transpose_(0, 1)", "swapaxes_(0, 1)", "unsqueeze_(0)", "resize_as_(x)"])
@pytest.mark.parametrize("view", ["x[0]", "x.view(12)", "x.t()", "x[:, 1:]", "x.detach()"])
@pytest.mark.parametrize("written", ["x.add_(50)", "v.fill_(-3)", "x[0] = 70"])
def test_views_after_methods_that_change_the_layout(method: str, view: str, written: str) -> None:
    check(f"import torch\nx = torch.rand(3, 4)\nv = {view}\nx.{method}\nw = x + 0\n{written}\na = v + 1\nb = x + 1\nc = x[0]\n")


@pytest.mark.parametrize("library", ["torch", "numpy"])
@pytest.mark.parametrize("index", ["0", "(0, 1)", "slice(1, 2)", "(slice(None), 1)", "(..., 0)", "7", "None", "x > 3"])
@pytest.mark.parametrize("form", ["x.__getitem__({})", "{0}.__getitem__(x, {{}})"])
def test_items_by_the_name_of_their_method(library: str, index: str, form: str) -> None:
    owner = {"torch": "torch.Tensor", "numpy": "numpy.ndarray"}[library]
    made = f"import {library}\nx = {library}.arange(12.0).reshape(3, 4)\n"
    setting = form.replace("__getitem__", "__setitem__").replace("({})", "({}, -9)").replace("{{}}", "{{}}, -9")
    check(f"{made}y = {form.format(owner).format(index) if '{0}' in form else form.format(index)}\nz = x + 1\n")
    put = setting.format(owner).format(index) if "{0}" in form else setting.format(index)
    check(f"{made}v = x[0]\n{put}\ny = v + 1\nz = x + 1\n")


@pytest.mark.parametrize("name", ["hsplit", "vsplit", "dsplit"])
@pytest.mark.parametrize("shape", ["4", "4, 6", "4, 6, 2", "2, 5, 4", "0, 6, 2"])
@pytest.mark.parametrize("asked", ["2", "[1]", "(1, 3)", "0", "3"])
@pytest.mark.parametrize("form", ["torch.{}(x, {})", "x.{}({})"])
def test_splits_along_an_axis_of_their_own(name: str, shape: str, asked: str, form: str) -> None:
    check(f"import torch\nx = torch.rand({shape})\ny = {form.format(name, asked)}\nn = len(y)\n"
          "z = y[0]\nz.fill_(9)\nw = x + 1\n")  # fmt: skip


@pytest.mark.parametrize("size", ["4, 3", "1, 3", "(4, 1)", "3", "()", "2, 3", "1, 4, 3", "[1, 1]"])
@pytest.mark.parametrize("made", ["torch.rand(4, 3)", "torch.ones(4, 3, dtype=torch.int32)", "torch.rand(3, 4).t()"])
def test_sums_to_a_size_may_be_the_tensor_itself(size: str, made: str) -> None:
    check(f"import torch\nx = {made}\ny = x.sum_to_size({size})\ny.fill_(50)\nz = x + 1\nw = y + 1\n")


@pytest.mark.parametrize("name", ["real_if_close", "real", "asarray", "ascontiguousarray", "squeeze"])
@pytest.mark.parametrize("written", ["y.dtype = np.uint8", "y.shape = (2, 6)", "y[0] = 40"])
def test_functions_that_may_give_an_array_back(name: str, written: str) -> None:
    check(f"import numpy as np\nx = np.full((3, 4), 0.5, np.float32)\ny = np.{name}(x)\n{written}\nz = x.shape\nw = x * 1\n")


@pytest.mark.parametrize("given", ["2", "np.float32(2)", "[1, 2]", "np.ones((2, 3))", "np.array(5)", "np.ones(())"])
def test_rows_have_an_axis(given: str) -> None:
    check(f"import numpy as np\ny = np.ascontiguousarray({given})\nz = y + 1\n")


@pytest.mark.parametrize("axes", ["0, -1", "1, 2", "0, 1", "-1, -2"])
@pytest.mark.parametrize("part", ["y[-1]", "y[0]", "y[:, 1]", "y[..., -1]"])
@pytest.mark.parametrize("library", ["numpy", "torch"])
def test_parts_of_tensors_with_swapped_axes(axes: str, part: str, library: str) -> None:
    text = f"import {library}\nx = {library}.arange(16.0).reshape(4, 2, 2)\ny = x.swapaxes({axes})\nz = {part}\n"
    check(f"{text}w = z + 1\n")


@pytest.mark.parametrize("call", ["remainder(x, 4", "add(x, x", "exp(x", "matmul(x, x", "clamp(x, 0, 1"])
@pytest.mark.parametrize("out", ["torch.rand(10, 5)", "torch.rand(5, 5)", "torch.rand(5, 5).t()"])
def test_layouts_of_results_that_are_written_to_a_tensor(call: str, out: str) -> None:
    check(f"import torch\nx = torch.rand(5, 5).t()\nout = {out}\ny = torch.{call}, out=out)\nz = y + 1\n")


_NEVER = ("for row in torch.rand(0, 4)", "for row in range(0)", "for row in []", "for row in torch.ones(4, 3)[4:]",
          "for row in {}.items()", "for row in zip(range(4), torch.ones(0, 3))", "for row in torch.ones(0).tolist()",
          "while 3 > 4", "while len([]) > 0")  # fmt: skip


@pytest.mark.parametrize("head", _NEVER)
@pytest.mark.parametrize(
    "body", ["x = torch.zeros(1)", "x = x @ torch.ones(7)", "x.fill_(-4)", "x = torch.ones(2, 2)\n    break"]
)
@pytest.mark.parametrize("after", ["", "else:\n    x = x * 3\n"])
def test_what_holds_after_loops_that_never_run(head: str, body: str, after: str) -> None:
    check(f"import torch\nx = torch.rand(3)\n{head}:\n    {body}\n{after}z = x + 1\n")
