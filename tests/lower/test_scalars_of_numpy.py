"""``isinstance`` of what indexing, reductions and arithmetic of numpy give: scalars, which are numbers and no arrays."""

from __future__ import annotations

from itertools import product

import pytest

from dllint.domains.lattice import Unknown
from tests.lower.tracing import lower, values

HEAD = (
    "import numbers\nfrom numbers import Number\nimport numpy as np\nimport torch\n\n"
    "rows, counts = np.ones((3, 4)), np.arange(4)\n"
)
MADE = (
    "rows[0, 0]", "rows[0][1]", "rows.mean()", "rows.sum() + 1", "2 * np.max(rows)", "np.dot(rows[0], rows[1])", "counts[0]",
    "rows[0] @ rows[1]", "np.matmul(rows[0], rows[1])", "np.einsum('i,i->', rows[0], rows[1])",
    "np.tensordot(rows[0], rows[1], 1)",
    "counts.max()", "(rows > 0)[0, 0]", "np.argmax(rows)", "np.sqrt(rows[0, 0])", "rows.astype(np.float32)[0, 0]", "rows",
    "rows[0]", "np.array(3.0)", "rows[0, 0, ...]", "rows[:1, :1].reshape(())", "np.squeeze(rows[:1, :1])",
    "np.array(counts[0])", "rows.std()", "torch.ones(3).sum().item()", "float(rows[0, 0])", "np.array(2.0) * 3",
)  # fmt: skip
CLASSES = ("np.ndarray", "Number", "numbers.Real", "numbers.Integral", "float", "int", "bool", "np.floating", "np.integer",
           "np.generic", "list", "tuple", "str", "torch.Tensor", "(np.ndarray, list)", "(int, float)", "object")  # fmt: skip


@pytest.mark.parametrize(("made", "kinds"), list(product(MADE, CLASSES)))
def test_what_is_decided_is_so(made, kinds):
    text = f"{HEAD}x = isinstance({made}, {kinds})\n"
    space: dict[str, object] = {}
    exec(compile(text, "scalars", "exec"), space)
    found = values(text)["x"]
    assert isinstance(found, Unknown) or found is space["x"]


PRODUCTS = (
    "np.dot(rows[0], rows[1])",
    "rows[0] @ rows[1]",
    "np.matmul(rows[0], rows[1])",
    "np.einsum('i,i->', rows[0], rows[1])",
)


@pytest.mark.parametrize(
    "made", ["rows[0, 0]", "rows.mean()", "counts[0]", "rows.sum() * 2", "torch.ones(3).sum().item()", *PRODUCTS]
)
def test_no_scalar_is_an_array(made):
    assert values(f"{HEAD}x = isinstance({made}, np.ndarray)\n")["x"] is False


LOOPS = (
    "y = {made}\nwhile not isinstance(y, Number):\n    y = y[0]\n",
    "def first(y):\n    while isinstance(y, np.ndarray):\n        y = y[0]\n    return y\n\n\nprint(first({made}))\n",
    "def first(y):\n    return y if isinstance(y, Number) else first(y[0])\n\n\nprint(first({made}))\n",
    "losses = [{made}.sum()]\nwhole = np.concatenate(losses) if isinstance(losses[0], np.ndarray) else losses\n",
    "losses = {{}}\nlosses['a'] = [torch.ones(3).mean().item()]\nlosses['b'] = [{made}]\n"
    "for k in losses:\n    v = losses[k]\n    known = isinstance(v[0], np.ndarray) and len(v[0].shape) > 0\n"
    "    print(np.concatenate(v) if known else v)\n",
)  # fmt: skip


@pytest.mark.parametrize(("form", "made"), list(product(LOOPS, ("rows", "rows[:1]", "np.dot(rows, rows.T)", "rows[None]"))))
def test_loops_end_at_a_scalar(form, made):
    text = HEAD + form.format(made=made)
    exec(compile(text, "loop", "exec"), {})
    assert [op.faults for program in lower(text).programs for op in program.ops if op.faults] == []
