"""After the Keras guide "Transfer learning & fine-tuning": a frozen base with batch normalisation, then all of it, slowly."""

import sys

import keras
import numpy as np
from keras import layers

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
random = np.random.default_rng(seed)
patterns = random.standard_normal((6, 8, 8, 1))


def images(count, first, last):
    labels = random.integers(first, last, count)
    return (patterns[labels] + 0.9 * random.standard_normal((count, 8, 8, 1))).astype("float32"), labels - first


base_model = keras.Sequential(
    [
        layers.Input((8, 8, 1)),
        layers.Conv2D(16, 3, padding="same"),
        layers.BatchNormalization(),
        layers.ReLU(),
        layers.MaxPooling2D(),
        layers.Conv2D(32, 3, activation="relu"),
        layers.Flatten(),
    ]
)
pretraining = keras.Sequential([base_model, layers.Dense(4)])
loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
pretraining.compile(optimizer=keras.optimizers.Adam(2e-3), loss=loss)
pretraining.fit(*images(800, 0, 4), epochs=3, verbose=2)

base_model.trainable = False
inputs = keras.Input(shape=(8, 8, 1))
x = base_model(inputs, training=False)
x = layers.Dropout(0.2)(x)
model = keras.Model(inputs, layers.Dense(1)(x))
binary = keras.losses.BinaryCrossentropy(from_logits=True)
model.compile(optimizer=keras.optimizers.Adam(3e-3), loss=binary, metrics=[keras.metrics.BinaryAccuracy()])
model.fit(*images(800, 4, 6), epochs=4, verbose=2)
base_model.trainable = True
model.compile(optimizer=keras.optimizers.Adam(1e-5), loss=binary, metrics=[keras.metrics.BinaryAccuracy()])
model.fit(*images(800, 4, 6), epochs=2, verbose=2)
assert model.evaluate(*images(300, 4, 6), verbose=0)[1] > 0.85
