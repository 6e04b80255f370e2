"""After the Keras example "Sequence to sequence learning for performing number addition": LSTM to repeated vector to LSTM."""

import sys

import keras
import numpy as np
from keras import layers

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
random = np.random.default_rng(seed)
CHARS = "0123456789+ "
numbers = random.integers(0, 10, (2400, 2))
questions = [f"{a}+{b}" for a, b in numbers]
answers = [f"{a + b:<2}" for a, b in numbers]


def encode(texts):
    return np.eye(len(CHARS), dtype="float32")[[[CHARS.index(char) for char in text] for text in texts]]


x, y = encode(questions), encode(answers)
model = keras.Sequential()
model.add(layers.Input((3, len(CHARS))))
model.add(layers.LSTM(48))
model.add(layers.RepeatVector(2))
model.add(layers.LSTM(48, return_sequences=True))
model.add(layers.Dense(len(CHARS), activation="softmax"))
model.compile(loss="categorical_crossentropy", optimizer=keras.optimizers.Adam(1e-2), metrics=["accuracy"])
history = model.fit(x, y, batch_size=48, epochs=7, validation_split=0.1, verbose=2)
assert history.history["accuracy"][-1] > 0.7
