"""Writes to tensors: every statement that writes, after every way to another name for the tensor, against a run."""

from __future__ import annotations

from itertools import product

import pytest

from benchmarks.differential.claims import claims
from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from tests.lower.against_runs import refuted
from tests.sampling import thinned

pytest.importorskip("torch")
pytestmark = pytest.mark.oracle

_TORCH = "import torch\n"
_NUMPY = "import numpy as np\n"
#: Other names for a tensor, views of it, and copies that may be none.
_NAMES = ("x", "x.float()", "x.contiguous()", "x.view(-1)", "x.T", "x[0]", "x.flatten()", "x.reshape(-1)", "x.detach()",
          "torch.as_tensor(x)", "torch.dropout(x, 0.5, False)", "x.to(torch.float32)", "x.double()", "x.clone()")  # fmt: skip
_TORCH_WRITES = ("x.resize_(2, 2)", "x.t_()", "x.unsqueeze_(0)", "x.data = torch.ones(5)", "x.set_(torch.ones(5))",
                 "torch.mean(x, 0, out=x)", "torch.zeros((4,), out=x)", "torch.full((2,), 7, out=x)", "torch.add(x, 1, out=x)",
                 "torch.sum(x, 1, out=x)", "torch.exp(torch.ones(6), out=x)", "torch.cumsum(x, 0, out=x)", "x[0] = 0.1",
                 "x.T[0] = 0.1", "x.fill_(0.1)", "torch.sort(x, out=(x, torch.ones(2, 3).long()))", "x.view(-1)[0] = 1e-46",
                 "torch.linalg.eigh(torch.eye(3), out=(torch.empty(3), x))",
                 "x.scatter_(0, torch.zeros(2, 3).long(), 1e-46)",
                 "x.index_fill_(0, torch.tensor([0]), 0.1)", "torch.max(x, 0, out=(x, torch.ones(3).long()))",
                 "torch.arange(6, out=x)", "torch.linspace(0, 1, 6, out=x)", "torch.arange(4, out=x)")  # fmt: skip


@pytest.mark.parametrize("write", _TORCH_WRITES)
def test_what_torch_writes(write: str) -> None:
    for other, after in thinned(product(_NAMES, ("z = y * 2", "z = [x, y][0]")), 2, _TORCH_WRITES.index(write)):
        assert refuted(f"{_TORCH}x = torch.ones(2, 3)\ny = {other}\n{write}\nw = x + 1\n{after}\n") == []


def test_a_tensor_that_was_resized_is_known_under_its_other_names() -> None:
    for other, write in product(("x", "x.float()", "x.contiguous()"), ("x.resize_(2, 2)", "x.data = torch.ones(2, 2)")):
        text = f"{_TORCH}x = torch.ones(2, 3)\ny = {other}\n{write}\n"
        held = claims(text).program
        assert held is not None
        last = claims(text).after[-1]
        assert all(last[name].type.shape == (2, 2) for name in "xy"), text


@pytest.mark.parametrize("write", ["x.add_(x.view(-1))", "x.mul_(x.reshape(1))", "x.mul_(x)", "x += x"])
def test_operands_that_share_the_elements_that_are_written(write: str) -> None:
    for number in (3.0, -2.5):
        assert refuted(f"{_TORCH}x = torch.full((1,), {number})\n{write}\ny = x * 1\nz = y + x\n") == []


def test_what_is_read_and_written_at_once_is_not_known() -> None:
    last = claims(f"{_TORCH}x = torch.ones(3, 2)\ntorch.mean(x, 0, out=x)\n").after[-1]["x"]
    value = last.value
    assert isinstance(value, TensorVal)
    assert isinstance(value.shape, Unknown)


@pytest.mark.parametrize("dtype", ["float32", "float16", "bfloat16", "int64", "uint8", "bool"])
def test_numbers_are_those_that_the_elements_hold(dtype: str) -> None:
    writes = ("x[0] = {n}", "x.fill_({n})", "x[...] = {n}", "x[torch.tensor([0])] = {n}", "x.masked_fill_(x == x, {n})",
              "x = x.new_tensor([{n}, 3])", "x = torch.full((2,), {n}, dtype=x.dtype)", "x = x + x",
              "x = torch.nn.functional.pad(x, (1, 2), value={n})")  # fmt: skip
    for write, number in thinned(product(writes, ("0.1", "1e-46", "2.7", "-0.5", "True")), 2, len(dtype)):
        text = f"{_TORCH}x = torch.ones(2, dtype=torch.{dtype})\n{write.format(n=number)}\ny = x * 1\n"
        assert refuted(text) == []


@pytest.mark.parametrize("dtype", ["float32", "float64", "int64", "uint64", "uint8", "bool_"])
def test_what_numpy_writes(dtype: str) -> None:
    writes = ("x.fill({n})", "x[0] = {n}", "x[0], x[-1] = {n}, 1", "x.resize((3, 2))", "x.resize(6)", "np.copyto(x, 0)",
              "x.shape = (6,)", f"x.dtype = np.{dtype}", "x.reshape(-1)[0] = {n}", "x.sort()", "np.add(x[0], 0, out=x)",
              "x[...] = {n}", "x.T[0] = {n}", "np.random.shuffle(x)", "x.put([0], {n})")  # fmt: skip
    cases = product(writes, ("x", "x.T", "x[0]", "np.asarray(x)"), ("0.5", "1", "1e-46", "2.7"))
    for write, other, number in thinned(cases, 3, len(dtype)):
        if "resize" in write or ("casting" in write):
            other = "x.copy()"  # an array that is referred to is not resized
        made = f"{_NUMPY}x = np.ones((2, 3), dtype=np.{dtype})\ny = {other}\n"
        assert refuted(f"{made}{write.format(n=number)}\nz = y + x[:1] * 1\nw = x[x > 0]\n") == []


def test_bytes_read_as_other_elements() -> None:
    for old, new in product(("float32", "float64", "int8", "bool", "complex64"), ("int32", "float32", "uint8", "float64")):
        text = f"{_TORCH}x = torch.ones(2, 8, dtype=torch.{old})\ny = x.view(torch.{new})\nz = y.T\n"
        assert refuted(text) == []


@pytest.mark.parametrize("shape", ["()", "(3,)", "(2, 3)", "(2, 3, 4)", "(2, 1, 3, 4)"])
def test_the_attribute_that_reverses_the_axes(shape: str) -> None:
    assert refuted(f"{_TORCH}x = torch.ones({shape})\ny = x.T\n") == []
    assert refuted(f"{_NUMPY}x = np.ones({shape})\ny = x.T\nz = x.T.T + x\n") == []
