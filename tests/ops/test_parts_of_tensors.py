"""What tensors are cut into: number, sizes and ranges of the parts against real runs, for places in any order, inside the axis
and outside, and for sizes that are known, 0 or not known."""

from __future__ import annotations

import random
import warnings
from collections.abc import Mapping
from typing import Final

import numpy as np
import pytest

from dllint.analysis.ranges.evaluator import Ranges
from dllint.domains.dim import DimExpr, bounds
from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import ListVal, PartsVal, Value
from tests.lower.tracing import lower

#: By library: its import, numbers from 0 on, as a tensor whose size is known and as one whose size is not, and what cuts a
#: tensor at ``PLACES`` or into ``NUMBER`` parts.
_LIBRARIES: Final = {
    "torch": (
        "import torch",
        ("torch.arange({}, dtype=torch.float32)", "torch.unique(torch.arange({}, dtype=torch.float32))"),
        (
            "torch.tensor_split(x, PLACES)",
            "torch.tensor_split(x, NUMBER)",
            "torch.split(x, PLACES)",
            "torch.split(x, NUMBER)",
            "x.chunk(NUMBER)",
            "torch.chunk(x, NUMBER, -1)",
            "torch.hsplit(x, PLACES)",
            "x.hsplit(NUMBER)",
        ),
    ),
    "numpy": (
        "import numpy as np",
        ("np.arange({}, dtype=np.float64)", "np.unique(np.arange({}, dtype=np.float64))"),
        (
            "np.split(x, PLACES)",
            "np.split(x, NUMBER)",
            "np.array_split(x, PLACES)",
            "np.array_split(x, NUMBER)",
            "np.hsplit(x, PLACES)",
        ),
    ),
    "tensorflow": (
        "import tensorflow as tf",
        ("tf.range({}.0)", "tf.unique(tf.range({}.0))[0]"),
        ("tf.split(x, PLACES)", "tf.split(x, NUMBER)"),
    ),
    "keras": (
        "import keras",
        ("keras.ops.arange({}.0)", "keras.ops.unique(keras.ops.arange({}.0))"),
        (
            "keras.ops.split(x, PLACES)",
            "keras.ops.split(x, NUMBER)",
            "keras.ops.array_split(x, NUMBER)",
        ),
    ),
}

_LENGTHS: Final = (0, 1, 2, 5, 6, 9)


def _formula(formula: str, draw: random.Random) -> str:
    places = [draw.randint(-3, 10) for _ in range(draw.randint(1, 3))]
    if draw.random() < 0.3:
        places.sort()
    return formula.replace("PLACES", repr(places)).replace("NUMBER", str(draw.randint(1, 5)))


def _seen(statement: str, names: Mapping[str, object]) -> list[np.ndarray] | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return [np.asarray(part) for part in eval(statement, dict(names))]
    except Exception:
        return None  # the library does not do it


def _refuted(claimed: Value, seen: list[np.ndarray], ranges: Ranges) -> str | None:
    if isinstance(claimed, Unknown):
        return None
    parts = claimed.items if isinstance(claimed, ListVal) else claimed
    assert isinstance(parts, list | tuple)
    if isinstance(claimed, ListVal) and claimed.rest is not None:  # any number of parts that look alike
        return next((wrong for real in seen for part in (*parts, claimed.rest) if (wrong := _wrong(part, real, ranges))), None)
    if len(parts) != len(seen) and not (isinstance(parts, PartsVal) and len(parts) > len(seen)):
        return f"{len(parts)} parts, not {len(seen)}"
    return next((wrong for part, real in zip(parts, seen, strict=False) if (wrong := _wrong(part, real, ranges))), None)


def _wrong(part: Value, real: np.ndarray, ranges: Ranges) -> str | None:
    if not isinstance(part, TensorVal) or isinstance(part.shape, Unknown):
        return None
    size = part.shape[0]
    fits = _may_be(size, real.shape[0]) if isinstance(size, DimExpr) else size == real.shape[0]
    if len(part.shape) != 1 or not fits:
        return f"{part.shape} is not {real.shape}"
    found = ranges.of(part)
    lies = not real.size or (found.low.value <= real.min() and real.max() <= found.high.value)
    return None if lies else f"{found} is not {real}"


def _may_be(size: DimExpr, number: int) -> bool:
    low, high = bounds(size)
    return (low is None or low <= number) and (high is None or number <= high)


@pytest.mark.oracle
@pytest.mark.parametrize("is_known", [True, False], ids=["known", "unknown"])
@pytest.mark.parametrize("library", _LIBRARIES)
def test_parts(library: str, is_known: bool) -> None:
    pytest.importorskip(library)
    header, numbers, formulas = _LIBRARIES[library]
    draw, ran = random.Random(0), 0
    for length in _LENGTHS:
        made = f"x = {numbers[not is_known].format(length)}"
        names: dict[str, object] = {}
        exec(f"{header}\n{made}", names)
        tried = [_formula(formula, draw) for formula in formulas for _ in range(12)]
        found = [(statement, seen) for statement in tried if (seen := _seen(statement, names)) is not None]
        lowered = lower("\n".join([header, made, *(f"out{place} = {statement}" for place, (statement, _) in enumerate(found))]))
        ranges = Ranges(next(traced for traced in lowered.programs if traced.entry == "<module>"))
        for place, (statement, seen) in enumerate(found):
            wrong = _refuted(lowered.module.attrs[f"out{place}"], seen, ranges)
            assert not wrong, f"{made}; {statement}: {wrong}"
        ran += len(found)
    assert ran >= 10 * len(formulas)


@pytest.mark.parametrize("cut", ["chunk(3)", "chunk(3, 0)"])
def test_a_size_that_is_not_known_may_have_fewer_parts_than_are_asked_for(cut: str) -> None:
    text = (
        f"import torch\nx = torch.unique(torch.ones(5))\nparts = x.{cut}\nn = len(parts)\na, b, c = parts\nlast = parts[-1]\n"
    )
    held = lower(text + "k = len(torch.ones(9).chunk(3))\nfirst = parts[0]\nrest = parts[-2:]\n").module.attrs
    assert bounds(held["n"]) == (1, 3)
    assert held["k"] == 3
    assert held["first"] is held["a"]
    assert held["last"] is not held["c"]
    assert isinstance(held["rest"], Unknown)
