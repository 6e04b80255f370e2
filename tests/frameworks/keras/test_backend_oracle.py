"""``keras.backend`` against the functions that TensorFlow's Keras still has."""

import pytest

from tests.frameworks.keras.conftest import shapes_of

PRELUDE = """
import numpy as np
from tensorflow.keras import backend as K
x = K.ones((2, 6, 8, 3))
s = K.ones((2, 5, 4))
m = K.ones((2, 4))
"""

EXPRESSIONS = [
    "K.pool2d(x, (2, 2), strides=(2, 2), pool_mode='avg')", "K.pool2d(x, (3, 3), padding='same')", "K.pool2d(x, (3, 2))",
    "K.spatial_2d_padding(x)", "K.spatial_2d_padding(x, padding=((0, 1), (2, 3)))", "K.temporal_padding(s, padding=(1, 2))",
    "K.resize_images(x, 2, 3, data_format='channels_last')", "K.bias_add(m, K.ones((4,)))", "K.constant([[1.0, 2], [3, 4]])",
    "K.truncated_normal((3, 4))", "K.random_normal_variable((3, 4), 0, 1)", "K.random_uniform_variable((2, 2), 0, 1)",
    "K.batch_flatten(x)", "K.permute_dimensions(x, (0, 3, 1, 2))", "K.dot(s, K.ones((4, 7)))", "K.batch_dot(m, m, axes=1)",
    "K.l2_normalize(m, axis=-1)", "K.repeat(m, 3)", "K.repeat_elements(m, 3, axis=1)", "K.squeeze(K.expand_dims(m, 0), 0)",
    "K.one_hot(K.argmax(m), 4)", "K.concatenate([m, m], axis=0)", "K.stack([m, m])", "K.tile(m, [2, 1])",
    "K.gather(m, [0, 0, 1])",
    "K.mean(x, axis=[1, 2])", "K.sum(m, axis=-1, keepdims=True)", "K.max(x, axis=-1)", "K.eye(3)",
    "K.binary_crossentropy(m, m)", "K.categorical_crossentropy(m, m)", "K.switch(K.greater(m, 0), m, -m)", "K.flatten(x)",
    "K.reverse(m, 1)", "K.clip(m, 0, 1)", "K.cast(m, 'int32')", "K.transpose(m)", "K.reshape(x, (2, -1))", "K.arange(5)",
    "K.batch_normalization(m, K.ones((4,)), K.ones((4,)), K.ones((4,)), K.ones((4,)))", "K.softmax(m)", "K.pow(m, 2)",
]  # fmt: skip


@pytest.mark.oracle
@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_expression(expression, trace):
    pytest.importorskip("tensorflow")
    names: dict[str, object] = {}
    exec(compile(f"{PRELUDE}out = {expression}\n", "program.py", "exec"), names)
    ours = trace(f"out = {expression}\n", PRELUDE).module.attrs["out"]
    assert shapes_of(ours) == tuple(names["out"].shape)
    assert ours.dtype.name == str(names["out"].dtype).removeprefix("<dtype: '").removesuffix("'>")


def test_function_gives_arrays(inferred):
    text = """
model = Sequential([keras.Input((8,)), Dense(4), Dense(2)])
run = K.function([model.layers[0].input, K.learning_phase()], [model.layers[0].output, model.output])
out = run([np.zeros((3, 8)), 0])
"""
    assert inferred(text) == [(3, 4), (3, 2)]


def test_classes_of_predictions(inferred):
    text = "model = Sequential([keras.Input((8,)), Dense({}, activation='sigmoid')])\n"
    text += "out = model.predict_classes(np.zeros((3, 8)))"
    assert inferred(text.format(4)) == (3,)
    assert inferred(text.format(1)) == (3, 1)


@pytest.mark.parametrize("form", ["class", "generator"])
def test_data_of_ones_own(faults, form):
    batches = {
        "class": """
class Batches(keras.utils.Sequence):
    def __init__(self, n):
        self.n = n
    def __len__(self):
        return 4
    def __getitem__(self, index):
        return np.zeros((16, self.n)), np.zeros((16, 1))
data = Batches({n})
""",
        "generator": """
def batches(n):
    while True:
        yield np.zeros((16, n)), np.zeros((16, 1))
data = batches({n})
""",
    }[form]
    text = (
        batches
        + """
model = Sequential([keras.Input((8,)), Dense(1)])
model.compile("adam", "mse")
model.fit(data, epochs=2, steps_per_epoch=4)
"""
    )
    assert faults(text.replace("{n}", "8")) == []
    assert faults(text.replace("{n}", "9")) == [("model_input", "input-shape")]


def test_windows_of_a_series(trace):
    text = """
from keras.preprocessing.sequence import TimeseriesGenerator
out = TimeseriesGenerator(np.zeros((500, 6)), np.zeros((500,)), length=20, sampling_rate=2, batch_size=8)
"""
    element = trace(text).module.attrs["out"].state["element"]
    assert [shapes_of(part) for part in element] == [(None, 10, 6), (None,)]


def test_tokenized_texts(inferred):
    text = """
from keras.preprocessing.text import Tokenizer
from keras.preprocessing.sequence import pad_sequences
tokenizer = Tokenizer(num_words=100)
tokenizer.fit_on_texts(["a b", "c"])
out = pad_sequences(tokenizer.texts_to_sequences(["a b", "c", "d"]), maxlen=12)
"""
    assert inferred(text) == (3, 12)
    assert inferred(text + "out = tokenizer.sequences_to_matrix(tokenizer.texts_to_sequences(['a', 'b']))") == (2, 100)
