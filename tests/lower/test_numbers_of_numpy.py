"""Numbers of numpy's own types: what they make of arrays and tensors beside them, compared with runs."""

from __future__ import annotations

from itertools import product

import pytest

from dllint.domains.dtype import DTYPES, DType
from tests.lower.against_runs import refuted
from tests.lower.tracing import values

pytestmark = pytest.mark.oracle
for _name in ("torch", "keras", "tensorflow"):
    pytest.importorskip(_name)

TYPES = ("bool", "uint8", "int64", "float16", "float32", "float64")
NUMBERS = ("np.float16(0.1)", "np.float32(0.1)", "np.float64(2)", "np.float32(1e-46)", "np.float64(255.0)", "np.float32(3) * 2")
BESIDE = (
    "x + {number}", "{number} - x", "x * {number}", "x / {number}", "np.maximum(x, {number})", "np.add({number}, x)",
    "np.where(x > 0, {number}, x)", "np.full((2,), {number})", "np.array({number})", "np.array([{number}, {number}])",
)  # fmt: skip
HELPER = (
    "def scaled(data, factor):\n    return data * factor\n\n\nx = np.ones((2, 3), dtype=np.{dtype})\ny = scaled(x, {number})\n"
)


@pytest.mark.parametrize(("dtype", "number"), list(product(TYPES, NUMBERS)))
def test_claims_about_arrays_beside_them_hold(dtype, number):
    made = f"import numpy as np\nx = np.ones((2, 3), dtype=np.{dtype})\n"
    lines = "".join(f"y{n} = {form.format(number=number)}\n" for n, form in enumerate(BESIDE))
    assert refuted(made + lines) == []
    assert refuted("import numpy as np\n\n\n" + HELPER.format(dtype=dtype, number=number)) == []


@pytest.mark.parametrize(("dtype", "number"), list(product(TYPES[2:], NUMBERS[1:3])))
def test_their_type_counts(dtype, number):
    made = f"import numpy as np\ny = np.ones((2, 3), dtype=np.{dtype}) * {number}\n"
    known = values(made)["y"].dtype
    assert isinstance(known, DType)
    space: dict = {}
    exec(compile(made, "numbers", "exec"), space)
    assert known == DTYPES[space["y"].dtype.name]


LIBRARIES = (
    ("import torch\nx = torch.ones(2, 3)\n", "torch.tensor({n})|torch.tensor([{n}, {n}])|torch.full((2,), {n})|x * {n}|"
     "x.long() + {n}|torch.clamp(x, max={n})|torch.where(x > 0, x, {n})|torch.as_tensor({n})"),
    ("import tensorflow as tf\nx = tf.ones((2, 3))\n", "tf.constant({n})|tf.constant([{n}])|x * {n}|tf.multiply(x, {n})|"
     "tf.fill((2,), {n})|tf.maximum(x, {n})"),
    ("import keras\nx = keras.ops.ones((2, 3))\n", "x * {n}|keras.ops.multiply(x, {n})|keras.ops.maximum(x, {n})|"
     "keras.ops.full((2,), {n})|keras.ops.convert_to_tensor({n})"),
)  # fmt: skip


@pytest.mark.parametrize(("made", "forms"), LIBRARIES)
@pytest.mark.parametrize("number", ["np.float32(0.5)", "np.float64(2)", "np.float16(1)"])
def test_claims_about_tensors_beside_them_hold(made, forms, number):
    lines = "".join(f"y{n} = {form.format(n=number)}\n" for n, form in enumerate(forms.split("|")))
    assert refuted(f"import numpy as np\n{made}{lines}") == []
