"""Arrays that OpenCV makes: shape and type as its version 5.0 gave them for the same arguments."""

from __future__ import annotations

import pytest

from dllint.domains.dim import is_known
from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from tests.lower.tracing import lower

HEAD = """
import cv2
import numpy as np

colour, grey = np.zeros((9, 12, 3), np.uint8), np.zeros((9, 12), np.uint8)
single, alpha = np.zeros((9, 12, 1), np.uint8), np.zeros((9, 12, 4), np.uint8)
real, kernel = np.zeros((9, 12, 3), np.float32), np.ones((3, 3), np.uint8)
"""
#: Expression → what it is, run on those arrays.
RUN = {
    "cv2.resize(colour, (6, 4))": ((4, 6, 3), "uint8"),
    "cv2.resize(grey, (6, 4))": ((4, 6), "uint8"),
    "cv2.resize(single, (6, 4))": ((4, 6), "uint8"),
    "cv2.resize(alpha, dsize=(6, 4))": ((4, 6, 4), "uint8"),
    "cv2.resize(real, (6, 4), interpolation=cv2.INTER_AREA)": ((4, 6, 3), "float32"),
    "cv2.cvtColor(colour, cv2.COLOR_BGR2RGB)": ((9, 12, 3), "uint8"),
    "cv2.cvtColor(colour, cv2.COLOR_BGR2GRAY)": ((9, 12), "uint8"),
    "cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)": ((9, 12, 3), "uint8"),
    "cv2.cvtColor(grey, cv2.COLOR_GRAY2RGBA)": ((9, 12, 4), "uint8"),
    "cv2.cvtColor(single, cv2.COLOR_GRAY2BGR)": ((9, 12, 3), "uint8"),
    "cv2.cvtColor(alpha, cv2.COLOR_BGRA2BGR)": ((9, 12, 3), "uint8"),
    "cv2.cvtColor(colour, cv2.COLOR_RGB2HSV)": ((9, 12, 3), "uint8"),
    "cv2.cvtColor(colour, cv2.COLOR_BGR2LAB)": ((9, 12, 3), "uint8"),
    "cv2.cvtColor(real, cv2.COLOR_BGR2GRAY)": ((9, 12), "float32"),
    "cv2.flip(colour, 1)": ((9, 12, 3), "uint8"),
    "cv2.flip(single, 1)": ((9, 12), "uint8"),
    "cv2.GaussianBlur(single, (3, 3), 0)": ((9, 12), "uint8"),
    "cv2.medianBlur(colour, 3)": ((9, 12, 3), "uint8"),
    "cv2.blur(grey, (3, 3))": ((9, 12), "uint8"),
    "cv2.bilateralFilter(colour, 9, 75, 75)": ((9, 12, 3), "uint8"),
    "cv2.erode(colour, kernel)": ((9, 12, 3), "uint8"),
    "cv2.dilate(single, kernel)": ((9, 12), "uint8"),
    "cv2.morphologyEx(grey, cv2.MORPH_OPEN, kernel)": ((9, 12), "uint8"),
    "cv2.equalizeHist(grey)": ((9, 12), "uint8"),
    "cv2.bitwise_not(colour)": ((9, 12, 3), "uint8"),
    "cv2.Canny(colour, 100, 200)": ((9, 12), "uint8"),
    "cv2.threshold(single, 1, 255, 0)[1]": ((9, 12), "uint8"),
    "cv2.threshold(colour, 1, 255, 0)[1]": ((9, 12, 3), "uint8"),
    "cv2.copyMakeBorder(colour, 1, 2, 3, 4, cv2.BORDER_CONSTANT, value=0)": ((12, 19, 3), "uint8"),
    "cv2.rotate(colour, cv2.ROTATE_90_CLOCKWISE)": ((12, 9, 3), "uint8"),
    "cv2.rotate(single, cv2.ROTATE_180)": ((9, 12), "uint8"),
    "cv2.warpAffine(colour, np.eye(2, 3), (7, 5))": ((5, 7, 3), "uint8"),
    "cv2.warpPerspective(grey, np.eye(3), (7, 5))": ((5, 7), "uint8"),
}
#: Expression → the axes behind height and width of an image file of three channels.
OF_FILES = {
    "cv2.imread(name)": (3,),
    "cv2.imread(name, 1)": (3,),
    "cv2.imread(name, cv2.IMREAD_COLOR)": (3,),
    "cv2.imread(name, 0)": (),
    "cv2.imread(name, flags=cv2.IMREAD_GRAYSCALE)": (),
    "cv2.imdecode(np.fromfile(name, np.uint8), cv2.IMREAD_COLOR)": (3,),
    "cv2.cvtColor(cv2.imread(name), cv2.COLOR_BGR2GRAY)": (),
    "cv2.cvtColor(cv2.imread(name, -1), cv2.COLOR_BGRA2RGB)": (3,),
    "cv2.VideoCapture(name).read()[1]": (3,),
    "cv2.resize(cv2.imread(name), None, fx=0.5, fy=0.5)": (3,),
}


def _of(expressions: list[str]) -> list[TensorVal]:
    text = HEAD + "name = input()\n" + "".join(f"x{place} = {one}\n" for place, one in enumerate(expressions))
    lowered = lower(text)
    assert not any(op.faults for program in lowered.programs for op in program.ops)
    found = [lowered.module.attrs[f"x{place}"] for place in range(len(expressions))]
    assert all(isinstance(value, TensorVal) for value in found)
    return found


def test_shapes_and_types_are_those_of_a_run() -> None:
    for expression, value in zip(RUN, _of(list(RUN)), strict=True):
        shape, dtype = RUN[expression]
        assert value.shape == shape, expression
        assert not isinstance(value.dtype, Unknown)
        assert value.dtype.name == dtype, expression


def test_files_have_any_size() -> None:
    for expression, value in zip(OF_FILES, _of(list(OF_FILES)), strict=True):
        assert isinstance(value.shape, tuple), expression
        assert value.shape[2:] == OF_FILES[expression], expression
        assert all(map(is_known, value.shape[:2]))


@pytest.mark.parametrize(
    "expression",
    [
        "cv2.imread(name, -1)",
        "cv2.imread(name, int(name))",
        "cv2.resize(cv2.imread(name, -1), (6, 4))",
        "cv2.cvtColor(colour, int(name))",
    ],
)
def test_other_channels_are_not_known(expression: str) -> None:
    (value,) = _of([expression])
    assert isinstance(value.shape, Unknown)
