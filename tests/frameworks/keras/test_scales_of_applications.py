"""The scales on which the networks of ``keras.applications`` were trained, against ``preprocess_input`` of white pictures."""

from __future__ import annotations

import pytest

from dllint.analysis.pretrained_inputs import expected
from dllint.frameworks.keras.applications import ARCHITECTURES

#: Those of MobileNetV3 stand in no public module with a ``preprocess_input``.
NAMES = [name for name in sorted(ARCHITECTURES) if "MobileNetV3" not in name]


@pytest.mark.oracle
def test_what_white_pictures_become():
    keras = pytest.importorskip("keras")
    numpy = pytest.importorskip("numpy")
    modules = [getattr(keras.applications, name) for name in dir(keras.applications)]
    for name in NAMES:
        own = next(module for module in modules if hasattr(module, "preprocess_input") and hasattr(module, name))
        white = own.preprocess_input(numpy.full((1, 2, 2, 3), 255.0))
        assert (white.max() > 10) == (expected(name) > 1), name
