"""After the Keras example "Bidirectional LSTM on IMDB": padded sequences of words, two bidirectional layers."""

import sys

import keras
import numpy as np
from keras import layers

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
random = np.random.default_rng(seed)
reviews, labels = [], []
for _ in range(1300):
    words = random.integers(4, 30, random.integers(6, 20))
    sign = 1
    total = 0
    for word in words:
        sign = -1 if word < 7 else sign
        total += sign * (int(word > 20) - int(word < 13))
    if total:
        reviews.append(words)
        labels.append(total > 0)
x = keras.utils.pad_sequences(reviews, maxlen=20)
y = np.array(labels, dtype="float32")

inputs = keras.Input(shape=(None,), dtype="int32")
h = layers.Embedding(30, 16)(inputs)
h = layers.Bidirectional(layers.LSTM(12, return_sequences=True))(h)
h = layers.Bidirectional(layers.LSTM(12))(h)
outputs = layers.Dense(1, activation="sigmoid")(h)
model = keras.Model(inputs, outputs)
model.compile(optimizer=keras.optimizers.Adam(1e-2), loss="binary_crossentropy", metrics=["accuracy"])
history = model.fit(x[:-200], y[:-200], batch_size=32, epochs=7, validation_data=(x[-200:], y[-200:]), verbose=2)
assert history.history["val_accuracy"][-1] > 0.7
