"""The element types of tensors of torch beside numbers that numpy made, by running torch: numbers of Python, arrays are not."""

from __future__ import annotations

import random
from typing import Any, Final

import numpy as np
import pytest
import torch

from dllint.domains.lattice import Unknown
from tests.lower.tracing import program

_TENSORS: Final = (
    "torch.ones(3, 4)", "torch.ones(3, dtype=torch.int64)", "torch.ones(3, dtype=torch.uint8)",
    "torch.ones(2, dtype=torch.float16)", "torch.ones((), dtype=torch.float64)", "torch.tensor(1)", "torch.tensor(2.0)",
    "torch.tensor([True, False])",
)  # fmt: skip
_NUMBERS: Final = (
    "np.sqrt(64)", "np.sqrt(n)", "np.log(np.array(3.0))", "np.ones(3).sum()", "np.arange(1, 4)[1]", "np.arange(1, 4).max()",
    "np.array([1.0, 2.0], dtype=np.float32).mean()", "np.sqrt(np.prod([2, 3]))", "abs(np.sqrt(n))", "np.sqrt(n) * 2",
)  # fmt: skip
_ARRAYS: Final = ("np.array(2.0)", "np.array([2.0])", "np.ones(())", "np.full((1,), 3)", "np.sqrt(np.ones(1))")
_FORMS: Final = (
    "{a} + {b}",
    "{b} - {a}",
    "{a} * {b}",
    "{a} / {b}",
    "{b} / {a}",
    "{a} // {b}",
    "{a} % {b}",
    "{a} ** {b}",
    "{a} < {b}",
)
_HEAD: Final = "import numpy as np\nimport torch\nn = 16\n"


def _cases(numbers: tuple[str, ...], seed: int, count: int) -> list[tuple[str, str, str]]:
    lot = random.Random(seed)
    return [(lot.choice(_TENSORS), lot.choice(numbers), lot.choice(_FORMS)) for _ in range(count)]


def _text(tensor: str, number: str, form: str, in_helper: bool) -> str:
    given = f"t = {tensor}\ns = {number}\n"
    if in_helper:
        return (
            f"{_HEAD}def combine(first, second):\n    return {form.format(a='first', b='second')}\n{given}out = combine(t, s)\n"
        )
    return f"{_HEAD}{given}out = {form.format(a='t', b='s')}\n"


def _run(text: str) -> Any:
    names: dict[str, Any] = {}
    try:
        exec(text, names)
    except (RuntimeError, TypeError):
        return None
    return names["out"]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("tensor", "number", "form"), _cases(_NUMBERS, 29, 24))
def test_numbers_of_numpy_count_as_those_of_python(tensor: str, number: str, form: str):
    text = _text(tensor, number, form, in_helper=len(number) % 2 == 0)
    real = _run(text)
    if isinstance(real, torch.Tensor):
        out = program(text).ops[-1].output
        assert str(out.dtype) == str(real.dtype).removeprefix("torch.")
        assert out.shape == tuple(real.shape)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("tensor", "array", "form"), _cases(_ARRAYS, 30, 16))
def test_nothing_false_is_said_of_arrays(tensor: str, array: str, form: str):
    text = _text(tensor, array, form, in_helper=False)
    real = _run(text)
    if isinstance(real, (torch.Tensor, np.ndarray)):
        traced = program(text)
        dtype = traced.ops[-1].output.dtype
        assert isinstance(dtype, Unknown) or str(dtype) == str(real.dtype).removeprefix("torch.")
