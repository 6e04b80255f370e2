"""The activations were forgotten: three dense layers are one linear layer, which cannot tell a ring from what it
encloses.

After Stack Overflow questions on Keras networks that cannot learn XOR; "missing activation" in DeepFD's and
TheDeepChecker's lists.
"""

# accept: activation, missing-nonlinearity, nonlinearity

import keras
import numpy as np

rng = np.random.default_rng(63)
keras.utils.set_random_seed(63)
x = rng.uniform(-1, 1, size=(1200, 2)).astype("float32")
y = ((x**2).sum(axis=1) < 0.6).astype("float32")

model = keras.Sequential()
model.add(keras.layers.Dense(32))  # expect: DLX106, DLX107, DLX110, DLX114
model.add(keras.layers.Dense(32))  # expect: DLX106, DLX107, DLX110, DLX114
model.add(keras.layers.Dense(1, activation="sigmoid"))
model.compile(
    optimizer="adam",
    loss="binary_crossentropy",  # expect: DLX106, DLX107, DLX110, DLX114
    metrics=["accuracy"],
)
model.fit(x, y, batch_size=60, epochs=8, verbose=0)
