"""A byte that was multiplied by, or added to, a number which no byte holds is no byte any more: its digits of 256 are not lost.
Of bytes themselves they are."""

from __future__ import annotations

import pytest

from tests.rules.harness import findings

PROGRAM = """import numpy as np
from PIL import Image


def digits(number):
    color = []
    for _ in range(3):
        color.append(number % 256)
        number //= 256
    return color


def build(path):
    picture = np.array(Image.open(path), dtype=np.uint8)
    found = {made}
    return digits(found)


build("labels.png")
"""
WIDE = [
    "picture[0, 0, 0] * 1000 + picture[0, 0, 1]",
    "picture[0, 0, 1] + 1000 * picture[0, 0, 0]",
    "picture * 256",
    "(picture.astype(np.int32) + 1) * 10",
    "[row[0] * 1000 + row[1] for row in np.unique(picture.reshape(-1, 3), axis=0)][0]",
    "picture + 300",
    "np.multiply(picture, 1000)",
]
BYTES = ["picture", "picture[0, 0, 0]", "picture + 1", "picture[0] * 2", "picture[..., 0] - 255", "picture + (picture > 3)"]


def _is_told(made: str) -> bool:
    told = findings(PROGRAM.format(made=made))
    return any(finding.code == "DLN109" and "//" in finding.message for finding in told)


@pytest.mark.parametrize("made", WIDE)
def test_numbers_that_no_byte_holds(made: str) -> None:
    assert not _is_told(made)


@pytest.mark.parametrize("made", BYTES)
def test_bytes(made: str) -> None:
    assert _is_told(made)
