"""A recurrent network of rectifiers over 60 steps, trained by gradient descent without clipping: the loss becomes
huge, or nan.

After Stack Overflow questions on a Keras SimpleRNN with relu and a loss of nan; "exploding gradient" of
AUTOTRAINER.
"""

# accept: gradient-clipping, learning-rate, weight-init, recurrent-cell, activation

import keras
import numpy as np

rng = np.random.default_rng(68)
keras.utils.set_random_seed(68)
x = rng.normal(size=(500, 60, 2)).astype("float32")
y = (x[:, :, :1].cumsum(axis=1)[:, -1] / 5).astype("float32")

model = keras.Sequential([keras.layers.SimpleRNN(32, activation="relu"), keras.layers.Dense(1)])
optimizer = keras.optimizers.SGD(learning_rate=0.1)  # expect: DLX101, DLX104, DLX109
model.compile(optimizer=optimizer, loss="mse")
model.fit(x, y, batch_size=50, epochs=6, verbose=0)
