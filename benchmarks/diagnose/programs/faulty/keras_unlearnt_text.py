"""A text classifier with an embedding and an LSTM, trained with a rate of 5e-7: it stays at the level of guessing.

After questions on Stack Overflow on an LSTM whose accuracy stays at one half; learning rate out of the common range
in DeepFD's list.
"""

# set: late
# accept: learning-rate

import keras
import numpy as np

rng = np.random.default_rng(91)
keras.utils.set_random_seed(91)
tokens = rng.integers(1, 40, (800, 10))
labels = ((tokens < 20).sum(axis=1) > 5).astype("float32")

model = keras.Sequential(
    [
        keras.layers.Embedding(40, 16),
        keras.layers.LSTM(16),
        keras.layers.Dense(1, activation="sigmoid"),
    ]
)
optimizer = keras.optimizers.RMSprop(5e-7)  # expect: DLX105, DLX106, DLX107
model.compile(optimizer, "binary_crossentropy", metrics=["accuracy"])
model.fit(tokens, labels, batch_size=40, epochs=6, verbose=0)
