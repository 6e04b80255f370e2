"""Functions of rows of samples give what numpy gives: the same sizes, and the same type where one is told."""

from __future__ import annotations

from typing import Final

import numpy as np
import pytest

from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from tests.lower.tracing import values

START: Final = (
    "import numpy as np\n\nx, row, short = np.ones((4, 7)), np.ones(9), np.ones(3)\n"
    "whole, pairs, space = np.arange(6), np.ones((5, 2)), np.ones((5, 3))\n"
)
CALLS: Final = (
    "np.pad(x, ((0, 0), (0, 3)), 'constant', constant_values=0)",
    "np.pad(x, ((0, 0), (2, 3)), mode='reflect')",
    "np.pad(x, [(1, 1), (2, 3)], 'constant', constant_values=((1, 2), (3, 4)))",
    "np.pad(row, 2, mode='edge')",
    "np.convolve(row, short)",
    "np.convolve(row, short, 'same')",
    "np.convolve(short, row, mode='same')",
    "np.convolve(row, short, mode='valid')",
    "np.convolve(whole, whole)",
    "np.correlate(row, short)",
    "np.correlate(row, short, 'full')",
    "np.gradient(row)",
    "np.gradient(whole)",
    "np.gradient(x, axis=1)",
    "np.gradient(x)[1]",
    "np.trapezoid(x)",
    "np.trapezoid(x, axis=0)",
    "np.trapezoid(whole, dx=0.5)",
    "np.cov(x)",
    "np.cov(x, rowvar=False)",
    "np.cov(x, x)",
    "np.corrcoef(row, row)",
    "np.corrcoef(x)",
    "np.cross(space, space)",
    "np.cross(space, space[0])",
    "np.cross(pairs, space)",
    "np.isclose(x, row[:7])",
    "np.deg2rad(x)",
    "np.rot90(x)",
    "np.rot90(x, 2)",
    "np.rot90(np.ones((2, 3, 4)), axes=(1, 2))",
    "np.diagonal(x)",
    "np.diagonal(np.ones((2, 3, 4)), axis1=1, axis2=2)",
    "np.diagonal(x, 2)",
    "np.trace(x)",
    "np.take_along_axis(x, np.argsort(x, axis=1), axis=1)",
    "np.linalg.det(np.eye(3))",
    "x.astype(np.dtype('float32'))",
    "np.zeros(3, dtype=np.dtype(np.int64))",
)
SKIPPED: Final = () if hasattr(np, "trapezoid") else tuple(call for call in CALLS if "trapezoid" in call)


RARER: Final = (
    "np.cov(x, aweights=np.ones(7))",
    "np.gradient(x, 1, 2)",
    "np.cross(np.ones((3, 4)), np.ones((3, 4)), axis=0)",
    "np.trace(x, 1)",
)


def _agrees(call: str, *, known: bool) -> bool:
    """Whether what is told of an array that a call gives is true of the real one; with ``known``, its sizes have to be told."""
    found, real = values(f"{START}out = {call}\n")["out"], {}
    exec(f"{START}out = {call}\n", real)
    if not isinstance(found, TensorVal):
        return not known
    fits = found.shape == np.shape(real["out"]) if known or not isinstance(found.shape, Unknown) else True
    return fits and (isinstance(found.dtype, Unknown) or found.dtype.name == real["out"].dtype.name)


@pytest.mark.parametrize("call", [call for call in CALLS if call not in SKIPPED])
def test_sizes_and_types_are_those_of_numpy(call: str) -> None:
    assert _agrees(call, known=True)


@pytest.mark.parametrize("call", RARER)
def test_nothing_wrong_is_told_of_rarer_forms(call: str) -> None:
    assert _agrees(call, known=False)


def test_indices_are_a_row_for_each_axis() -> None:
    found = values(f"{START}rows, columns = np.triu_indices(4, k=1)\nplaces = np.unravel_index(np.arange(5), (3, 4))\n")
    assert found["rows"].shape == found["columns"].shape
    assert [place.shape for place in found["places"]] == [(5,), (5,)]
