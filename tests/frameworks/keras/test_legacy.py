"""Keras 1 and 2 spellings, ``tf.keras``, data sources: programs that today's Keras may refuse to import, but that lower."""

from pathlib import Path

import pytest

from dllint.domains.dim import DimExpr
from dllint.ir import events
from dllint.lower.document import lower_document
from dllint.source.document import Document


def lowered(text):
    found = lower_document(Document.from_text(Path("program.py"), text))
    assert found.failures == []
    return found


def shape(text, name="out"):
    return tuple(None if isinstance(d, DimExpr) else d for d in lowered(text).module.attrs[name].shape)


def outputs(text):
    return [tuple(None if isinstance(d, DimExpr) else d for d in op.output.shape) for op in lowered(text).programs[0].ops]


def test_keras_1_convolution():
    text = """
from keras.models import Sequential
from keras.layers.convolutional import Convolution2D, MaxPooling2D
from keras.layers.core import Dense, Dropout, Flatten
model = Sequential()
model.add(Convolution2D(nb_filter=32, nb_row=5, nb_col=3, border_mode='same', subsample=(2, 1), init='uniform',
input_shape=(28, 28, 1)))
model.add(MaxPooling2D(pool_size=(2, 2), border_mode='valid'))
model.add(Flatten())
model.add(Dropout(p=0.5))
model.add(Dense(output_dim=10, init='uniform', activation='softmax'))
out = model.output
"""
    assert outputs(text)[0] == (None, 14, 28, 32)
    assert shape(text) == (None, 10)


def test_old_keywords_are_reported_as_unbound():
    text = "from keras.layers import Dense\nDense(output_dim=3, init='uniform', activation='relu')\n"
    calls = [e for e in lowered(text).programs[0].events if isinstance(e, events.LibraryCall)]
    assert calls[0].name == "keras.layers.Dense"
    assert set(calls[0].unbound) == {"output_dim", "init"}


def test_dense_with_input_and_output_size():
    """Stack Overflow 31880720: ``Dense(50, 1)`` once meant 50 inputs and 1 output."""
    text = """
from keras.models import Sequential
from keras.layers.core import Dense, Activation
model = Sequential()
model.add(Dense(25, 50))
model.add(Dense(50, 1))
model.add(Activation('softmax'))
out = model.output
"""
    assert shape(text) == (None, 1)


@pytest.mark.parametrize(
    ("mode", "wanted"), [("sum", (None, 4)), ("concat", (None, 8)), ("mul", (None, 4)), ("ave", (None, 4))]
)
def test_merge_function(mode, wanted):
    text = f"""
from keras.layers import Input, merge
from keras.models import Model
a, b = Input(shape=(4,)), Input(shape=(4,))
out = merge([a, b], mode='{mode}', concat_axis=1)
"""
    assert shape(text) == wanted


def test_functional_model_with_old_keywords():
    text = """
from keras.layers import Input, Dense
from keras.models import Model
i = Input(shape=(4,))
model = Model(input=i, output=Dense(2)(i))
out = model.output
"""
    assert shape(text) == (None, 2)


def test_batch_input_shape():
    text = """
from keras.models import Sequential
from keras.layers import LSTM
model = Sequential()
model.add(LSTM(8, batch_input_shape=(16, 10, 3), stateful=True))
out = model.output
"""
    assert shape(text) == (16, 8)


def test_embedding_with_input_length():
    text = """
from keras.models import Sequential
from keras.layers import Embedding, Flatten, Dense
model = Sequential()
model.add(Embedding(1000, 16, input_length=20))
model.add(Flatten())
out = model.output
"""
    assert shape(text) == (None, 320)


def test_tf_keras_and_channels_first():
    text = """
import tensorflow as tf
from tensorflow.keras import layers, backend as K
K.set_image_data_format('channels_first')
x = layers.Input(shape=(3, 32, 32))
x = layers.Conv2D(8, 3)(x)
out = tf.keras.layers.GlobalAveragePooling2D()(x)
"""
    assert outputs(text)[0] == (None, 8, 30, 30)
    assert shape(text) == (None, 8)


def test_tensorflow_functions():
    text = """
import tensorflow as tf
x = tf.random.normal([4, 28, 28, 1])
x = tf.nn.conv2d(x, tf.Variable(tf.zeros([3, 3, 1, 8])), strides=[1, 2, 2, 1], padding='SAME')
x = tf.nn.max_pool2d(tf.nn.relu(x), ksize=2, strides=2, padding='VALID')
x = tf.reshape(x, [-1, 7 * 7 * 8])
y = tf.concat([x, x], axis=1)
z = tf.expand_dims(tf.reduce_mean(y, axis=1), -1)
out = tf.matmul(tf.transpose(y), z)
"""
    assert outputs(text)[-1] == (784, 1)


@pytest.mark.parametrize(
    ("name", "x", "y"),
    [("mnist", (60000, 28, 28), (60000,)), ("cifar10", (50000, 32, 32, 3), (50000, 1)), ("boston_housing", (404, 13), (404,))],
)
def test_datasets(name, x, y):
    text = f"from keras.datasets import {name}\n(a, b), (c, d) = {name}.load_data()\n"
    assert shape(text, "a") == x
    assert shape(text, "b") == y
    assert shape(text, "c")[1:] == x[1:]


def test_mnist_classes_reach_to_categorical():
    text = """
from keras.datasets import mnist
from keras.utils import np_utils
(x, y), _ = mnist.load_data()
out = np_utils.to_categorical(y)
"""
    assert shape(text) == (60000, 10)


def test_image_generator_feeds_the_model():
    text = """
from keras.preprocessing.image import ImageDataGenerator
from keras.models import Sequential
from keras.layers import Conv2D, Flatten, Dense
model = Sequential([Conv2D(4, 3, input_shape=(64, 64, 3)), Flatten(), Dense(1, activation='sigmoid')])
model.compile('adam', 'binary_crossentropy')
train = ImageDataGenerator(rescale=1. / 255).flow_from_directory('data', target_size=(150, 150), class_mode='binary')
model.fit_generator(train, steps_per_epoch=10, nb_epoch=2)
"""
    faults = [(op.kind, f.kind) for op in lowered(text).programs[0].ops for f in op.faults]
    assert faults == [("linear", "feature-size")]


def test_train_test_split_keeps_columns():
    text = """
import numpy as np
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler
x, y = np.random.rand(100, 7), np.random.randint(0, 3, 100)
a, b, c, d = train_test_split(x, y, test_size=0.2)
out = StandardScaler().fit_transform(a)
"""
    assert [shape(text, n) for n in "abcd"] == [(80, 7), (20, 7), (80,), (20,)]
    assert shape(text) == (80, 7)


def test_backend_functions():
    text = """
from keras import backend as K
from keras.layers import Input, Lambda
x = Input((6, 4))
y = Lambda(lambda t: K.mean(K.square(t), axis=1))(x)
z = K.batch_dot(x, K.permute_dimensions(x, (0, 2, 1)))
w = K.reshape(x, (-1, K.int_shape(x)[1] * 4))
out = K.concatenate([y, K.sum(x, axis=1, keepdims=False)])
"""
    assert [shape(text, n) for n in ("y", "z", "w", "out")] == [(None, 4), (None, 6, 6), (None, 24), (None, 8)]


def test_tf_data_pipeline():
    text = """
import numpy as np
import tensorflow as tf
from tensorflow import keras
x, y = np.zeros((100, 28, 28), dtype='uint8'), np.zeros((100,), dtype='int64')
ds = tf.data.Dataset.from_tensor_slices((x, y))
ds = ds.map(lambda a, b: (tf.cast(a, tf.float32)[..., tf.newaxis] / 255.0, tf.one_hot(b, 10))).shuffle(10).batch(32).prefetch(1)
for images, labels in ds.take(1):
    out = images
model = keras.Sequential([keras.Input((28, 28, 3)), keras.layers.Flatten(), keras.layers.Dense(10)])
model.compile('adam', 'categorical_crossentropy')
model.fit(ds, epochs=1)
"""
    assert shape(text) == (None, 28, 28, 1)
    assert shape(text, "labels") == (None, 10)
    faults = [(op.kind, f.kind) for op in lowered(text).programs[0].ops for f in op.faults]
    assert faults == [("linear", "feature-size")]


def test_initializers_make_tensors():
    text = """
import tensorflow as tf
w = tf.Variable(tf.keras.initializers.GlorotUniform()(shape=(4, 8)))
out = tf.matmul(tf.zeros((2, 4)), w)
"""
    assert shape(text) == (2, 8)


def test_tensorflow_1_graph():
    text = """
import tensorflow as tf
x = tf.placeholder(tf.float32, [None, 30, 30, 1])
W = tf.Variable(tf.truncated_normal([5, 5, 1, 32], stddev=0.1))
h = tf.nn.relu(tf.nn.conv2d(x, W, strides=[1, 1, 1, 1], padding='SAME') + tf.Variable(tf.constant(0.1, shape=[32])))
p = tf.nn.max_pool(h, ksize=[1, 2, 2, 1], strides=[1, 2, 2, 1], padding='SAME')
d = tf.layers.conv2d(p, 16, 3, activation=tf.nn.relu)
flat = tf.layers.flatten(d)
w = tf.get_variable('w', [flat.get_shape()[1], 10])
out = tf.nn.softmax(tf.nn.xw_plus_b(flat, w, tf.zeros([10])))
bad = tf.matmul(tf.placeholder(tf.float32, [2, 3]), tf.zeros([4, 2]))
"""
    assert shape(text, "p") == (None, 15, 15, 32)
    assert shape(text, "flat") == (None, 13 * 13 * 16)
    assert shape(text) == (None, 10)
    assert [(op.kind, f.kind) for op in lowered(text).programs[0].ops for f in op.faults] == [("matmul", "matmul")]
