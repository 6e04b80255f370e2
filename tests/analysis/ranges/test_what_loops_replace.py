"""What is known of a tensor before a loop that replaces it does not hold of its successors: ranges against real runs."""

from __future__ import annotations

import importlib
import random
from types import CodeType
from typing import Final

import numpy as np
import pytest

from dllint.analysis.ranges.evaluator import Ranges
from tests.lower.tracing import lower, program

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


#: Loops around the one with the body, none of them too deep to be executed again and more than that.
_AROUND: Final = (0, 0, 1, 2, 5)

_RESULTS: Final = ("g", "y", "c")


def _text(library: str, before: str, body: str, around: int) -> str:
    short, numbers, (where, larger) = _LIBRARIES[library]
    loop = ["while u() < 0.7 and n < 5:", *body.replace("WHERE", where).replace("MAXIMUM", larger).splitlines(), "n = n + 1"]
    lines = [f"g = {numbers}", *before.splitlines(), "held.g = g", "y = g * 1", *_indented(loop)]
    for level in range(around):
        lines = _indented([f"for _ in range(1 + int(u() * {2 if level else 3})):", "n = 0", *lines])
    made = "\n".join(f"h_{name} = {name} * 1" for name in _RESULTS)
    return f"import {library} as {short}\n{_HEAD}" + "\n".join(lines) + f"\n{made}\n"


def _indented(block: list[str]) -> list[str]:
    return [block[0], *(f"    {line}" for line in block[1:])]


@pytest.mark.oracle
@pytest.mark.parametrize("library", _LIBRARIES)
@pytest.mark.parametrize("before", _BEFORE)
@pytest.mark.parametrize("body", _BODIES)
def test_ranges_hold_in_every_pass(library: str, before: str, body: str) -> None:
    pytest.importorskip(library)
    number = _BEFORE.index(before) + _BODIES.index(body)
    text = _text(library, before, body, _AROUND[number % len(_AROUND)])
    lowered = lower(text)
    ranges = Ranges(next(traced for traced in lowered.programs if traced.entry == "<module>"))
    claimed = {name: ranges.of(lowered.module.attrs[f"h_{name}"]) for name in _RESULTS}
    code = compile(text, "loop", "exec")
    for seed in range(8):
        for name, seen in _run(code, library, seed).items():
            assert claimed[name].low.value <= seen.min(), f"{name}: {text}"
            assert seen.max() <= claimed[name].high.value, f"{name}: {text}"


def _run(code: CodeType, library: str, seed: int) -> dict[str, np.ndarray]:
    if library == "numpy":
        np.random.seed(seed)
    elif library == "torch":
        importlib.import_module(library).manual_seed(seed)
    names: dict[str, object] = {"u": random.Random(seed).random}
    exec(code, names)
    return {name: np.asarray(names[f"h_{name}"]) for name in _RESULTS}


@pytest.mark.parametrize("condition", ["g.min() > 0.1", "(g > 0.1).all()"])
def test_conditions_before_the_loop_count_for_the_first_pass(condition: str) -> None:
    text = f"import torch\ng = torch.rand(3)\nassert {condition}\nc = g + 1\nwhile u():\n    y = torch.log(g)\n    g = g * 2\n"
    traced = program(text)
    ranges = Ranges(traced)
    logarithm = next(op for op in traced.ops if op.kind == "log")
    assert ranges.at(logarithm, logarithm.args["x"]).low.value >= 0.1
