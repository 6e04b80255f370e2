"""The axes of ``to_categorical``, which drops a last axis of size 1, held against the real function over shapes."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from dllint.domains.dim import DimExpr
from dllint.domains.lattice import Unknown
from tests.lower.tracing import values
from tests.rules.harness import findings

#: Sizes of an axis: numbers, and sizes that only the user knows.
SIZES = (1, 2, 5, "a", "b")
SHAPES = tuple(shape for rank in range(1, 4) for shape in itertools.product(SIZES, repeat=rank))
PROGRAM = """
import sys
import numpy as np
from {package}.utils import to_categorical
a, b = len(sys.argv), len(sys.path)
y = np.zeros({shape}, dtype="int64")
z = to_categorical(y, {classes})
"""


def found(shape: tuple[Any, ...], package: str = "keras") -> Any:
    """The shape of the one-hot rows of labels with a shape."""
    written = f"({', '.join(map(str, shape))},)"
    return values(PROGRAM.format(package=package, shape=written, classes=7))["z"].shape


def agrees(abstract: Any, real: tuple[int, ...]) -> bool:
    """Whether a real shape is one that the abstract one stands for."""
    if isinstance(abstract, Unknown):
        return True
    return len(abstract) == len(real) and all(isinstance(a, DimExpr) or a == b for a, b in zip(abstract, real, strict=True))


def test_a_last_axis_that_may_be_one_leaves_the_axes_unknown() -> None:
    for shape in SHAPES:
        undecided = len(shape) > 1 and isinstance(shape[-1], str)
        assert isinstance(found(shape), Unknown) == undecided, shape
        if not undecided:
            kept = shape[:-1] if len(shape) > 1 and shape[-1] == 1 else shape
            assert agrees(found(shape), (*(size if isinstance(size, int) else 3 for size in kept), 7)), shape


@pytest.mark.oracle
def test_axes_as_keras() -> None:
    np, keras = pytest.importorskip("numpy"), pytest.importorskip("keras")
    for shape in SHAPES:
        abstract = found(shape)
        for sizes in itertools.product((1, 4), repeat=2):
            given_sizes = dict(zip("ab", sizes, strict=True))
            filled = tuple(given_sizes[size] if isinstance(size, str) else size for size in shape)
            labels = np.zeros(filled, dtype="int64")
            for given in (labels, labels.tolist(), keras.ops.convert_to_tensor(labels)):
                assert agrees(abstract, tuple(keras.utils.to_categorical(given, 7).shape)), (shape, sizes)


TRAINED = """
import {package} as keras
import numpy as np
texts = [line.strip() for line in open("corpus.txt")]
words = keras.preprocessing.text.Tokenizer(char_level=True)
words.fit_on_texts(texts)
count = len(words.word_index) + 1
x = keras.{pad}(words.texts_to_sequences(texts), maxlen=40)
y = keras.{pad}(words.texts_to_sequences([text[-1] for text in texts]){maxlen})
y = keras.utils.to_categorical(y, num_classes=count)
model = keras.Sequential([keras.layers.Embedding(count, 8), keras.layers.LSTM(16), keras.layers.Dense(count, "softmax")])
model.compile("adam", "categorical_crossentropy")
model.fit(x, y)
"""
PADS = ("preprocessing.sequence.pad_sequences", "utils.pad_sequences")


@pytest.mark.parametrize("package", ["keras", "tensorflow.keras"])
def test_targets_of_padded_texts(package: str) -> None:
    for pad, (maxlen, codes) in itertools.product(PADS, {"": [], ", maxlen=1": [], ", maxlen=2": ["DLT109"]}.items()):
        text = TRAINED.format(package=package, pad=pad, maxlen=maxlen)
        assert [each.code for each in findings(text) if each.code.startswith("DLT")] == codes, (pad, maxlen)
