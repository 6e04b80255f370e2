"""What a layer of the user's own keeps in its ``InputSpec`` decides the branches of its ``call``."""

from __future__ import annotations

from pathlib import Path

import pytest

from dllint.config.discovery import Configuration
from dllint.engine.session import Session
from dllint.source.document import Document

PROGRAM = """
import keras
from keras import ops
from keras.layers import InputSpec, Layer


class Heads(Layer):
    def build(self, shape):
        self.input_spec = {spec}

    def call(self, x):
        if {test}:
            return ops.reshape(x, (ops.shape(x)[0], 5, 2, 4))
        return ops.reshape(x, (ops.shape(x)[0], 5, 3, 2, 4))


Heads()(keras.Input({shape}))
"""
SPECS = [
    ("InputSpec(ndim=len(shape))", "self.input_spec.ndim == 3"),
    ("keras.layers.InputSpec(None, shape)", "self.input_spec.ndim == 3"),
    ("InputSpec(shape=shape)", "len(self.input_spec.shape) == 3"),
    ("InputSpec(min_ndim=len(shape))", "self.input_spec.min_ndim < 4"),
    ("InputSpec(shape=list(shape))", "not self.input_spec.ndim == 4"),
]


def told(text: str) -> list[str]:
    path = Path("program.py")
    session = Session(Configuration(isolated=True))
    return [finding.code for finding in session.analyser(path).analyse(Document.from_text(path, text)).findings]


@pytest.mark.parametrize(("spec", "test"), SPECS)
def test_the_branch_for_the_rank_is_taken(spec, test):
    assert told(PROGRAM.format(spec=spec, test=test, shape="(5, 8)")) == []
    assert told(PROGRAM.format(spec=spec, test=test, shape="(5, 3, 8)")) == []
    assert told(PROGRAM.format(spec=spec, test=test, shape="(5, 7)")) == ["DLT105"]
