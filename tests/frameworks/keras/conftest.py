"""Tracing a Keras program, and running the very same text for real."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.domains.dim import DimExpr
from dllint.domains.lattice import Unknown
from dllint.ir.program import TensorVal
from dllint.ir.values import ListVal
from dllint.lower.document import lower_document
from dllint.source.document import Document

PRELUDE = """
import numpy as np
import keras
from keras import layers, ops, backend as K
from keras.models import Model, Sequential
from keras.layers import *
"""


def shapes_of(value):
    """Shapes with ``None`` for free sizes, in the structure of lists."""
    if isinstance(value, ListVal):
        value = tuple(value.items)
    if isinstance(value, (tuple, list)) and not all(isinstance(v, (int, type(None), DimExpr)) for v in value):
        return [shapes_of(v) for v in value]
    shape = value.shape if hasattr(value, "shape") else value
    if isinstance(shape, Unknown):
        return shape
    return tuple(int(d) if isinstance(d, int) else None for d in shape)


@pytest.fixture(scope="session")
def trace():
    """``trace(text)``: the lowered program, the prelude's names bound."""

    def run(text, prelude=PRELUDE):
        lowered = lower_document(Document.from_text(Path("program.py"), prelude + text))
        assert lowered.failures == []
        return lowered

    return run


@pytest.fixture(scope="session")
def inferred(trace):
    """``inferred(text)``: the shape of ``out`` as the analysis sees it."""

    def run(text):
        out = trace(text).module.attrs["out"]
        assert isinstance(out, (TensorVal, ListVal, tuple)), out
        return shapes_of(out)

    return run


@pytest.fixture(scope="session")
def executed():
    """``executed(text)``: the shape of ``out`` when Keras runs the program."""
    pytest.importorskip("keras")

    def run(text):
        names: dict[str, object] = {}
        exec(compile(PRELUDE + text, "program.py", "exec"), names)
        return shapes_of(names["out"])

    return run


@pytest.fixture(scope="session")
def faults(trace):
    """``faults(text)``: (operation, kind of fault) of everything provably wrong, in order."""

    def run(text):
        return [(op.kind, fault.kind) for program in trace(text).programs for op in program.ops for fault in op.faults]

    return run
