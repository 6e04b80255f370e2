"""What the steps to Keras 3 rewrite, in generated variants; results of the backend's functions are compared."""

from __future__ import annotations

import pytest

from tests.migrate.test_tf2 import step

#: Lines of Keras 1 and 2, and what becomes of them.
LINES = [
    ("from keras.utils import np_utils", "from keras import utils as np_utils"),
    ("from keras.layers.core import Dense, Dropout as D", "from keras.layers import Dense, Dropout as D"),
    ("from keras.layers.advanced_activations import LeakyReLU", "from keras.layers import LeakyReLU"),
    ("d = keras.layers.core.Dense(3)", "d = keras.layers.Dense(3)"),
    ("d = keras.layers.normalization.BatchNormalization", "d = keras.layers.BatchNormalization"),
    ("from keras.layers.core import K", "from keras import backend as K"),
    ("m.fit_generator(g, 10, 3)", "m.fit(g, steps_per_epoch=10, epochs=3)"),
    ("m.fit_generator(generator=g, epochs=3, workers=4)", "m.fit(x=g, epochs=3)"),
    ("m.fit_generator(g, workers=4, use_multiprocessing=True)", "m.fit(g)"),
    ("p = m.evaluate_generator(g, 3)", "p = m.evaluate(g, steps=3)"),
    ("o = keras.optimizers.SGD(lr=0.1, decay=0.0)", "o = keras.optimizers.SGD(lr=0.1)"),
    (
        "o = keras.optimizers.SGD(lr=0.1, decay=r)",
        "o = keras.optimizers.SGD(lr=keras.optimizers.schedules.InverseTimeDecay(0.1, 1, r))",
    ),
    ("c = keras.layers.Conv2D(8, 3, 5, border_mode='same')", "c = keras.layers.Conv2D(8, (3, 5), border_mode='same')"),
    ("c = keras.layers.Conv2D(8, 3, 2)", "c = keras.layers.Conv2D(8, 3, 2)"),
    ("x = keras.backend.sum(y, axis=1)", "x = keras.ops.sum(y, axis=1)"),
    ("x = keras.backend.concatenate([y, z])", "x = keras.ops.concatenate([y, z], axis=-1)"),
    ("x = keras.backend.concatenate([y, z], 1)", "x = keras.ops.concatenate([y, z], 1)"),
    ("x = keras.backend.int_shape(y)[1]", "x = tuple(y.shape)[1]"),
    ("x = keras.backend.function([y], [z])", "x = keras.backend.function([y], [z])"),
]
PLACES = ["{}", "if ready:\n    {}", "def f(m, g, y, z, r):\n    {}\n    return 1"]


@pytest.mark.parametrize("place", PLACES)
def test_each_line(place):
    for old, new in LINES:
        assert step(f"import keras\n{place.format(old)}\n", "keras3")[0] == _laid_out(place, new)


def _laid_out(place, line):
    return f"import keras\n{place.format(line)}\n"


def test_uses_through_a_moved_import_stay():
    text = (
        "from keras.layers.core import Dense\nfrom keras.utils import np_utils\nd = Dense(3)\ny = np_utils.to_categorical(x)\n"
    )
    after = (
        "from keras.layers import Dense\nfrom keras import utils as np_utils\nd = Dense(3)\ny = np_utils.to_categorical(x)\n"
    )
    assert step(text, "keras3")[0] == after


@pytest.mark.parametrize(("mode", "function"), [("sum", "add"), ("concat", "concatenate"), ("mul", "multiply")])
def test_merge_becomes_the_function_of_its_mode(mode, function):
    text = f"import keras\nfrom keras.layers import merge, Dense\nx = merge([a, b], mode='{mode}')\n"
    after = f"import keras\nfrom keras.layers import Dense\nx = keras.layers.{function}([a, b])\n"
    assert step(text, "keras3")[0] == after


@pytest.mark.parametrize(("metrics", "key"), [("accuracy", "val_accuracy"), ("acc", "val_acc")])
def test_keys_of_the_history_follow_the_metric(metrics, key):
    text = f"import keras\nm.compile('sgd', 'mse', metrics=['{metrics}'])\nh = m.fit(x)\nprint(h.history['{{}}'])\n"
    assert step(text.format("val_acc"), "keras3")[0] == text.format(key)


def test_samples_are_not_counted_as_batches():
    text = "import keras\nm.fit_generator(g, samples_per_epoch=100, nb_epoch=2)\n"
    after, remarks = step(text, "keras3")
    assert after == text
    assert len(remarks) == 1


@pytest.mark.parametrize("text", [
    "import keras\n\n\nclass Net:\n    def fit_generator(self, g):\n        return g\n\n\nNet().fit_generator(1)\n",
    "import torch\nm.fit_generator(g)\n",
    "import keras\nx = keras.layers.Dense(3)\n",
])  # fmt: skip
def test_other_files_stay_as_they_are(text):
    assert step(text, "keras3")[0] == text
