"""Functions of written numbers are computed, and each library gives what was computed, but for the rounding that is told."""

from __future__ import annotations

import importlib
import os
import random
from typing import Any, Final

import numpy as np
import pytest

from dllint.analysis.facts import Facts
from dllint.analysis.ranges.constants import Constants
from dllint.domains.enclosure import Enclosure
from dllint.domains.interval import Interval, Origin
from dllint.domains.lattice import Unknown
from dllint.domains.precision import USUAL
from dllint.ir.program import Program, TensorVal
from tests.lower.tracing import program

os.environ.setdefault("KERAS_BACKEND", "torch")
#: How programs of a library begin: ``x`` (a row from ``a`` to ``b``), ``y`` of the same length, whole numbers ``k``.
_HEADS: Final = {
    "torch": (
        "import torch\nimport torch.nn.functional as F\nx = torch.linspace({a}, {b}, {n}, dtype=torch.{type})\n"
        "y = torch.tensor({row}, dtype=torch.{type})\nk = torch.arange({n})\n"
    ),
    "numpy": (
        "import numpy as np\nx = np.linspace({a}, {b}, {n}).astype('{type}')\n"
        "y = np.array({row}, dtype='{type}')\nk = np.arange({n})\n"
    ),
    "tensorflow": (
        "import tensorflow as tf\nx = tf.cast(tf.linspace({a}, {b}, {n}), tf.{type})\n"
        "y = tf.constant({row}, dtype=tf.{type})\nk = tf.range({n})\n"
    ),
    "keras": (
        "import keras\nfrom keras import ops\nx = ops.linspace({a}, {b}, {n}, dtype='{type}')\n"
        "y = ops.array({row}, dtype='{type}')\nk = ops.arange({n})\n"
    ),
}
#: Statements that leave x and y of one length and k whole; ``{c}`` is a number. By library, what all of them have first.
_SHARED: Final = (
    "x = x + y", "x = x - {c}", "x = {c} - y", "x = x * y", "x = x * {c}", "x = x / ({c} + 0.5)", "x = -x", "x = x ** 2",
    "y = x", "x = 1 - x", "y = y * 0.5 + 0.25", "x = (x - y) * (x + y)", "x = 1e-10 + 1 - x", "x = x[::1]",
)  # fmt: skip
_STEPS: Final = {
    "torch": (
        "x = torch.exp(-x.abs())", "x = torch.sigmoid(x)", "x = torch.tanh(y)", "x = torch.cos(x) ** 2", "x = torch.sin(y)",
        "x = torch.sqrt(x.abs())", "x = torch.log(x.abs() + {c})", "x = torch.clip(x, 0, 0.999)", "x = x.clamp(min=y)",
        "x = torch.cumsum(x, 0)", "x = torch.cumprod(1 - torch.sigmoid(x) * 0.1, dim=0)", "x = torch.softmax(x, dim=0)",
        "x = torch.cat([x[1:], x[:1]])", "x = F.pad(x[:-1], (1, 0), value=1.0)", "x = x / x.abs().max().clamp(min=0.5)",
        "x = torch.where(x > y, x, y)", "x = torch.relu(x)", "x = x.flip(0)", "x = x - x.mean()", "x = x / (x.norm() + 1)",
        "x = x / (x.std() + 1)", "x = x.reshape(1, -1).t().flatten()", "x = (x[:, None] * y[None]).sum(1)",
        "x = torch.outer(x, y) @ y if False else x", "x = (x > 0).float()", "x = k.float() / {c} if {c} > 0 else x",
        "x = x.double().float().to(y.dtype)", "x = F.softplus(x)", "x = F.leaky_relu(x, 0.2)", "x = F.elu(x)", "x = F.silu(x)",
        "x = x.masked_fill(x > 0.5, 0.25)", "x = torch.maximum(x, y)", "x = torch.minimum(x, y)", "x = x.exp2().log2()",
        "x = F.one_hot(k, {n}).to(y.dtype) @ x", "x = torch.diag(x).sum(0) if False else x", "x = x.sort().values",
        "x = torch.stack([x, y], dim=1).amax(1)", "x = x * torch.tensor(0.3)", "x = torch.log1p(x.abs())",
        "x = torch.expm1(-x.abs())",
        "x = 10000 ** (-x.abs().clamp(max=3) / 4)", "x = x.abs() ** 0.5", "x = 1 / (x.abs() + 0.5)",
        "x = torch.logsumexp(x, 0) - x",
        "x = x.round()", "x = torch.floor(x * 3) / 3", "x = F.normalize(x, dim=0)", "x = x.view(-1, 1).expand(-1, 2)[:, 0]",
        "x = x.roll(1)", "x = torch.tril(x[:, None] * y).sum(0)", "x = torch.gather(x, 0, k)", "x = x[k]", "x = torch.erf(x)",
        "x = x.index_select(0, k)", "x = torch.lerp(x, y, 0.25)", "x = x[x > -1e9]", "x = torch.full_like(x, {c}) + x",
    ),
    "numpy": (
        "x = np.exp(-np.abs(x))", "x = np.tanh(y)", "x = np.cos(x) ** 2", "x = np.sqrt(np.abs(x))",
        "x = np.log(np.abs(x) + {c})",
        "x = np.clip(x, 0, 0.999)", "x = np.cumsum(x)", "x = np.cumprod(1 - np.abs(np.tanh(x)) * 0.1)",
        "x = np.append(1.0, x[:-1])",
        "x = np.concatenate([x[1:], x[:1]])", "x = np.where(x > y, x, y)", "x = np.maximum(x, y)", "x = x[::-1]",
        "x = x - x.mean()",
        "x = x / (np.std(x) + 1)", "x = x / (np.linalg.norm(x) + 1)", "x = np.power(np.abs(x), 0.5)", "x = k / {n} + x",
        "x = np.square(x)", "x = x.astype('float32').astype('float64')", "x = np.minimum(x, y)", "x = np.floor(x * 3) / 3",
        "x = np.log1p(np.abs(x))", "x = np.outer(x, y).sum(axis=1) if False else x", "x = x / np.max(np.abs(x) + 1)",
        "x = 10000 ** (-np.clip(np.abs(x), 0, 3) / 4)", "x = x[k]", "x = np.flip(x)", "x = np.expand_dims(x, 0)[0]",
    ),
    "tensorflow": (
        "x = tf.exp(-tf.abs(x))", "x = tf.sigmoid(x)", "x = tf.tanh(y)", "x = tf.cos(x) ** 2", "x = tf.sqrt(tf.abs(x))",
        "x = tf.math.log(tf.abs(x) + {c})", "x = tf.clip_by_value(x, 0, 0.999)", "x = tf.cumsum(x)",
        "x = tf.math.cumprod(1 - tf.sigmoid(x) * 0.1)", "x = tf.nn.softmax(x)", "x = tf.concat([x[1:], x[:1]], 0)",
        "x = tf.where(x > y, x, y)", "x = tf.nn.relu(x)", "x = tf.reverse(x, [0]) if False else x", "x = x - tf.reduce_mean(x)",
        "x = x / (tf.norm(x) + 1)", "x = tf.reshape(x, (1, -1))[0]", "x = tf.cast(k, x.dtype) / {n} + x", "x = tf.square(x)",
        "x = tf.reduce_sum(tf.expand_dims(x, 1) * y, axis=1)", "x = tf.maximum(x, y)", "x = tf.nn.softplus(x)",
        "x = tf.nn.elu(x)",
        "x = tf.math.log1p(tf.abs(x))", "x = tf.math.reciprocal(tf.abs(x) + 0.5)", "x = tf.nn.silu(x)", "x = tf.sign(x) * y",
    ),
    "keras": (
        "x = ops.exp(-ops.abs(x))", "x = ops.sigmoid(x)", "x = ops.tanh(y)", "x = ops.cos(x) ** 2", "x = ops.sqrt(ops.abs(x))",
        "x = ops.log(ops.abs(x) + {c})", "x = ops.clip(x, 0, 0.999)", "x = ops.cumsum(x)",
        "x = ops.cumprod(1 - ops.sigmoid(x) * 0.1)",
        "x = ops.softmax(x)", "x = ops.concatenate([x[1:], x[:1]])", "x = ops.where(x > y, x, y)", "x = ops.relu(x)",
        "x = x - ops.mean(x)", "x = x / (ops.std(x) + 1)", "x = ops.reshape(x, (1, -1))[0]", "x = ops.square(x)",
        "x = ops.maximum(x, y)", "x = ops.flip(x)", "x = ops.softplus(x)", "x = ops.log1p(ops.abs(x))", "x = ops.take(x, k)",
    ),
}  # fmt: skip


def _generated(library: str, seed: int) -> str:
    source = random.Random(f"{library}{seed}")
    n = source.randint(2, 9)
    row = [round(source.uniform(-3, 3), source.randint(0, 3)) for _ in range(n)]
    ends = sorted(round(source.uniform(-4, 4), 2) for _ in range(2))
    types = ["float32"] if library == "keras" else ["float32", "float64"]  # Keras takes numbers in single precision
    head = _HEADS[library].format(a=ends[0], b=ends[1], n=n, row=row, type=source.choice(types))
    steps = source.choices((*_SHARED, *_STEPS[library] * 2), k=source.randint(1, 6))
    filled = [step.format(c=round(source.uniform(0.1, 3), 2), n=n) for step in steps]
    return head + "\n".join((*filled, "z = x + 0")) + "\n"


def _elements(traced: Program) -> list[Enclosure]:
    last = traced.ops[-1].output
    assert isinstance(last, TensorVal)
    return Constants(traced, USUAL.cells).elements(last)


def _really(text: str) -> Any:
    names: dict[str, Any] = {}
    exec(text, names)
    z = names["z"]
    return np.asarray(z.detach().cpu() if hasattr(z, "detach") else z, dtype=np.float64)


@pytest.mark.oracle
@pytest.mark.parametrize("library", _STEPS)
def test_libraries_give_what_was_computed(library: str) -> None:
    pytest.importorskip(library)
    importlib.import_module(library)
    known, total = 0, 400
    for seed in range(total):
        text = _generated(library, seed)
        try:
            with np.errstate(all="ignore"):
                numbers = _really(text)
        except (RuntimeError, ValueError, TypeError, IndexError):
            total -= 1
            continue
        for found in _elements(program(text)):
            known += 1
            assert numbers.shape == found.shape, text
            inside = (found.low <= numbers) & (numbers <= found.high)
            assert inside.all(), (text, numbers[~inside], found.low[~inside], found.high[~inside])
    assert known > 0.8 * total, (known, total)


_SCHEDULE: Final = """
import math
import torch
import torch.nn.functional as F

def schedule(steps, s=0.008):
    t = torch.linspace(0, steps, steps + 1, dtype=torch.float64) / steps
    kept = torch.cos((t + s) / (1 + s) * math.pi * 0.5) ** 2
    kept = kept / kept[0]
    return torch.clip(1 - kept[1:] / kept[:-1], 0, 0.999)

betas = schedule({steps})
kept = torch.cumprod(1.0 - betas, dim=0)
before = F.pad(kept[:-1], (1, 0), value=1.0)
"""


def _range(text: str) -> Interval:
    traced = program(text)
    return Facts(traced).ranges.of(traced.ops[-1].output)


@pytest.mark.parametrize("steps", [10, 50, 1000, 4000])
@pytest.mark.parametrize("formula", ["betas", "kept", "1 - kept", "1.0 / kept - 1", "kept / (1 - kept)", "kept.float()"])
def test_a_schedule_stays_away_from_zero(steps: int, formula: str) -> None:
    found = _range(_SCHEDULE.format(steps=steps) + f"z = ({formula}) * 1\n")
    assert found.low.value > 0
    assert found.low.origin is Origin.DERIVED


def test_a_schedule_reaches_zero_where_it_does() -> None:
    found = _range(_SCHEDULE.format(steps=1000) + "z = 1 - before\n")
    assert found.low.value == 0
    assert found.has_zero


@pytest.mark.parametrize(
    "change",
    [
        "x = torch.linspace(0.1, 1, 10) * torch.rand(10)",
        "x = torch.linspace(0.1, 1, 10)\nfor i in range(5000):\n    x = x * 0.5",
        "x = torch.linspace(0.1, 1, 10).requires_grad_()",
        "x = torch.linspace(0.1, 1, given)",
        "x = torch.linspace(0.1, 1, 10)\nx[unknown] = 7.0",
        "class Kept:\n    def __init__(self):\n        self.x = torch.arange(1, 4)\n"
        "    def read(self):\n        return self.x * 1.0\n"
        "x = Kept().read()",
        "x = torch.linspace(0.1, 1, 10)\nx = open_(x)",
        "x = torch.linspace(0.1, 1, 10).half()",
        "x = torch.linspace(0.1, 1, 200_000)",
    ],
)
def test_what_is_not_written_is_not_computed(change: str) -> None:
    traced = program(f"import torch\n{change}\nz = x + 0\n")
    last = traced.ops[-1].output
    assert isinstance(last.shape, Unknown) or not Constants(traced, USUAL.cells).elements(last)


def test_both_arms_of_a_branch_count() -> None:
    text = "import torch\nif flag:\n    x = torch.linspace(1, 2, 5)\nelse:\n    x = torch.linspace(5, 9, 5)\nz = x * 2\n"
    found = _range(text)
    assert (found.low.value, found.high.value) == (2, 18)
