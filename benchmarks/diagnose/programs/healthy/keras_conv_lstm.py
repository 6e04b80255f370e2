"""After the Keras example "Next-frame video prediction with convolutional LSTMs": a moving square."""

import sys

import keras
import numpy as np
from keras import layers

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
random = np.random.default_rng(seed)


def films(count, frames=5, size=8):
    data = np.zeros((count, frames + 1, size, size, 1), dtype="float32")
    place, speed = random.integers(0, size, (count, 2)), random.integers(-1, 2, (count, 2))
    for frame in range(frames + 1):
        for film in range(count):
            rows, columns = ((place[film] + frame * speed[film])[:, None] + np.arange(2)) % size
            data[film, frame, rows[:, None], columns] = 1.0
    return data[:, :-1], data[:, 1:]


x_train, y_train = films(320)
inp = layers.Input(shape=(None, 8, 8, 1))
x = layers.ConvLSTM2D(filters=8, kernel_size=(3, 3), padding="same", return_sequences=True, activation="relu")(inp)
x = layers.BatchNormalization(momentum=0.9)(x)
x = layers.Conv3D(filters=1, kernel_size=(3, 3, 3), activation="sigmoid", padding="same")(x)
model = keras.Model(inp, x)
model.compile(loss="binary_crossentropy", optimizer=keras.optimizers.Adam(1e-2))
model.fit(x_train, y_train, batch_size=16, epochs=6, verbose=2)
assert model.evaluate(x_train, y_train, verbose=0) < 0.17
