"""Files for Keras 1 whose images have their channels in front: the format stands in a file that nobody sees."""

from __future__ import annotations

import pytest

from benchmarks.failing import says_that_it_fails
from tests.rules.harness import findings

OLD = "Convolution2D(16, 3, 3, border_mode='same')"
MODELS = {
    "functional": """
image = Input(shape={shape})
x = {first}(image)
x = MaxPooling2D((2, 2), border_mode='same')(x)
x = Convolution2D(8, 3, 3, border_mode='same')(x)
x = UpSampling2D((2, 2))(x)
decoded = Convolution2D({channels}, 3, 3, activation='sigmoid', border_mode='same')(x)
model = Model(image, decoded)
""",
    "sequential": """
model = Sequential()
model.add(Convolution2D(16, 3, 3, border_mode='same', input_shape={shape}))
model.add(MaxPooling2D((2, 2), border_mode='same'))
model.add(Convolution2D(8, 3, 3, border_mode='same'))
model.add(UpSampling2D((2, 2)))
model.add(Convolution2D({channels}, 3, 3, border_mode='same'))
""",
    "a list": """
model = Sequential([Convolution2D(16, 5, 5, border_mode='same', input_shape={shape}), Activation('relu'),
                    ZeroPadding2D((1, 1)), Convolution2D({channels}, 3, 3, border_mode='valid')])
""",
    "made by a function": """
def build(shape):
    m = Sequential()
    m.add(Convolution2D(16, 3, 3, border_mode='same', input_shape=shape))
    m.add(BatchNormalization(axis=1))
    m.add(Convolution2D({channels}, 3, 3, border_mode='same'))
    return m

model = build({shape})
""",
}
USE = """
model.compile(optimizer='adadelta', loss='binary_crossentropy')
data = np.zeros((100,) + {shape}, dtype='float32')
model.fit(data, data, nb_epoch=5)
found = model.predict(data)
first = found[0].reshape({height}, {width}, {channels})
"""
HEAD = """
import numpy as np
from keras.layers import (Activation, BatchNormalization, Convolution2D, Dense, Flatten, Input, MaxPooling2D, UpSampling2D,
                          ZeroPadding2D)
from keras.models import Model, Sequential
"""


def _errors(source: str) -> list[str]:
    told = [f for f in findings(source) if f.code.startswith("DLT") and f.code != "DLT118"]
    return [finding.message for finding in told if says_that_it_fails(finding)]


@pytest.mark.parametrize("shape", [(1, 28, 28), (3, 32, 48), (4, 64, 64)])
@pytest.mark.parametrize("model", MODELS)
def test_nothing_follows_from_a_format_that_is_not_known(model: str, shape: tuple[int, int, int]) -> None:
    channels, height, width = shape
    body = (MODELS[model] + USE).format(shape=shape, channels=channels, height=height, width=width, first=OLD)
    assert _errors(HEAD + body) == []
    assert "DLT111" in {finding.code for finding in findings(HEAD + body)}


@pytest.mark.parametrize("model", [model for model in MODELS if model != "functional"])
def test_channels_last_is_still_followed(model: str) -> None:
    body = MODELS[model].format(shape=(28, 28, 3), channels=8, first=OLD)
    assert _errors(f"{HEAD}{body}\nmodel.predict(np.zeros((4, 28, 28, 1)))\n")
