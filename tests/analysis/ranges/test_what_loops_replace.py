"""What is known of a tensor before a loop that replaces it does not hold of its successors: ranges against real runs."""

from __future__ import annotations

import importlib
import random
from types import CodeType
from typing import Final

import numpy as np
import pytest

from dllint.analysis.ranges.evaluator import Ranges
from dllint.domains.interval import Interval
from tests.lower.tracing import program

#: By library: its import, numbers between -2 and 2, and its functions.
_LIBRARIES: Final = {
    "numpy": ("np", "np.random.uniform(-2, 2, 3)", ("np.where", "np.maximum")),
    "torch": ("torch", "torch.rand(3) * 4 - 2", ("torch.where", "torch.maximum")),
    "tensorflow": ("tf", "tf.random.uniform((3,), -2, 2)", ("tf.where", "tf.maximum")),
}

#: What is computed of ``g`` before the loop.
_BEFORE: Final = ("c = g", "c = 1.5 - g", "c = g * 1", "c = -g / 2", "b = g + 1\nc = b - 2 * g", "k = [g]\nc = k[0] * 1")

#: What a pass does with both.
_BODIES: Final = (
    "g = (g + c) / 2",
    "g = g - c",
    "c = c - g",
    "y = g - c\ng = g + 1",
    "y = g + c\ng = g + 1",
    "y = WHERE(g > 0, c, 1.0 + g * 0)\ng = g - 1",
    "y = MAXIMUM(g, c) - c\ng = g + 1",
    "g, c = c, g + c",
    "y, g = g + c, g * 2",
    "d = g + c\ng = d - c * 2\ny = d + c",
    "if u() < 0.5:\n    g = g + 2\ny = g + c",
    "for _ in range(int(u() * 4)):\n    g = g + c\ny = g - c",
    "g = helper(g, c)\ny = g + c",
    "y = g - c\ng += 1",
    "held.g = held.g - c\ny = held.g + c",
)

_HEAD: Final = (
    "def helper(a, b):\n    while u() < 0.5:\n        a = a - b\n    return a\nclass Held:\n    pass\nheld = Held()\nn = 0\n"
)


def _text(library: str, before: str, body: str, result: str) -> str:
    short, numbers, (where, larger) = _LIBRARIES[library]
    lines = body.replace("WHERE", where).replace("MAXIMUM", larger).splitlines()
    loop = "\n".join(f"    {line}" for line in lines)
    start = f"g = {numbers}\n{before}\nheld.g = g\ny = g * 1\n"
    return f"import {library} as {short}\n{_HEAD}{start}while u() < 0.7 and n < 5:\n{loop}\n    n = n + 1\nh = {result} * 1\n"


def _claimed(text: str) -> Interval:
    traced = program(text)
    return Ranges(traced).of(traced.ops[-1].output)


@pytest.mark.oracle
@pytest.mark.parametrize("library", _LIBRARIES)
@pytest.mark.parametrize("before", _BEFORE)
def test_ranges_hold_in_every_pass(library: str, before: str) -> None:
    pytest.importorskip(library)
    for body in _BODIES:
        for result in ("g", "y", "c"):
            text = _text(library, before, body, result)
            claimed = _claimed(text)
            code = compile(text, "loop", "exec")
            for seed in range(12):
                seen = _run(code, library, seed)
                assert claimed.low.value <= seen.min(), text
                assert seen.max() <= claimed.high.value, text


def _run(code: CodeType, library: str, seed: int) -> np.ndarray:
    if library == "numpy":
        np.random.seed(seed)
    elif library == "torch":
        importlib.import_module(library).manual_seed(seed)
    names: dict[str, object] = {"u": random.Random(seed).random}
    exec(code, names)
    return np.asarray(names["h"])


@pytest.mark.parametrize("condition", ["g.min() > 0.1", "(g > 0.1).all()"])
def test_conditions_before_the_loop_count_for_the_first_pass(condition: str) -> None:
    text = f"import torch\ng = torch.rand(3)\nassert {condition}\nc = g + 1\nwhile u():\n    y = torch.log(g)\n    g = g * 2\n"
    traced = program(text)
    ranges = Ranges(traced)
    logarithm = next(op for op in traced.ops if op.kind == "log")
    assert ranges.at(logarithm, logarithm.args["x"]).low.value >= 0.1
