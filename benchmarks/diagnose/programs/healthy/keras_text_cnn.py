"""After the Keras example "Text classification from scratch": embeddings, one-dimensional convolutions, global maximum."""

import sys

import keras
import numpy as np
from keras import layers

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
random = np.random.default_rng(seed)
# The label tells whether the phrase 7 8 9 occurs; the words alone say less.
texts = random.integers(1, 40, (1800, 24))
labels = random.integers(0, 2, 1800)
for text, label in zip(texts, labels, strict=True):
    at = random.integers(0, 21)
    text[at : at + 3] = (7, 8, 9) if label else random.permutation((7, 8, 9, 10))[:3]
labels = np.array([any(tuple(text[i : i + 3]) == (7, 8, 9) for i in range(22)) for text in texts.tolist()], dtype="float32")

inputs = keras.Input(shape=(None,), dtype="int64")
x = layers.Embedding(40, 16)(inputs)
x = layers.Dropout(0.1)(x)
x = layers.Conv1D(32, 3, padding="valid", activation="relu")(x)
x = layers.GlobalMaxPooling1D()(x)
x = layers.Dropout(0.2)(layers.Dense(32, activation="relu")(x))
predictions = layers.Dense(1, activation="sigmoid", name="predictions")(x)
model = keras.Model(inputs, predictions)
model.compile(loss="binary_crossentropy", optimizer=keras.optimizers.Adam(3e-3), metrics=["accuracy"])
history = model.fit(texts, labels, batch_size=32, epochs=6, validation_split=0.15, verbose=2)
assert history.history["val_accuracy"][-1] > 0.85
