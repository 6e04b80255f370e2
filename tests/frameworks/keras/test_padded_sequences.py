"""Sequences of numbers, of rows and of anything: Keras pads them, and what dllint says of the same call holds."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from dllint.domains.lattice import Unknown
from tests.lower.tracing import values

HEAD = "import numpy as np\nimport keras\n"
SEQUENCES = (
    "[[1, 2], [3], [4, 5, 6]]",
    "[(1, 2), (3,)]",
    "[np.zeros((3,)), np.zeros((2,))]",
    "[np.zeros((3, 1)), np.zeros((2, 1))]",
    "[np.zeros((3, 4, 2)), np.zeros((5, 4, 2))]",
    "np.zeros((4, 5))",
    "np.zeros((4, 5, 2))",
    "[[n] * (n + 1) for n in range(3)]",
    "[np.array('1, 2'.split(', ')).reshape(-1, 1), np.array(['3']).reshape(-1, 1)]",
)
OPTIONS = ("", ", maxlen=9", ", padding='post'")


@pytest.mark.oracle
@pytest.mark.parametrize(("sequences", "options"), list(itertools.product(SEQUENCES, OPTIONS)))
def test_shapes_are_those_of_keras(sequences: str, options: str) -> None:
    pytest.importorskip("keras")
    source = HEAD + f"out = keras.utils.pad_sequences({sequences}{options})\n"
    names: dict[str, Any] = {}
    exec(source, names)
    shape, real = values(source)["out"].shape, names["out"].shape
    assert isinstance(shape, Unknown) or len(shape) == len(real)
    assert isinstance(shape, Unknown) or all(not isinstance(n, int) or n == size for n, size in zip(shape, real, strict=True))


@pytest.mark.parametrize("line", ["parse(line)", "line.strip()", "rows[line]"])
def test_nothing_is_known_of_what_unknown_sequences_hold(line: str) -> None:
    source = f"{HEAD}def load(lines, rows):\n    return keras.utils.pad_sequences([{line} for line in lines])\n"
    assert isinstance(values(source + "out = load(open('x'), {})\n")["out"].shape, Unknown)
