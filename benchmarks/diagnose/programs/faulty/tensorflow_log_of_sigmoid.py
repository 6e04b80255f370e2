"""A binary cross entropy written by hand in a custom loop takes the logarithm of a sigmoid, which reaches 0 and 1.

After questions on Stack Overflow on nan in a custom training loop; "numerical error" in GRIST's list.
"""

# set: late
# backend: tensorflow
# accept: guard, log-of-nonpositive, unstable-composition, loss-pairing

import keras
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(92)
keras.utils.set_random_seed(92)
labels = rng.integers(0, 2, 1000)
x = (rng.normal(size=(1000, 10)) + 6.0 * rng.normal(size=(2, 10))[labels]).astype("float32")
y = labels.astype("float32")[:, None]

model = keras.Sequential([keras.Input((10,)), keras.layers.Dense(32, activation="relu"), keras.layers.Dense(1)])
optimizer = keras.optimizers.Adam(0.1)
for epoch in range(6):
    for start in range(0, len(x), 50):
        xb, yb = x[start : start + 50], y[start : start + 50]
        with tf.GradientTape() as tape:
            p = tf.sigmoid(model(xb))
            loss = -tf.reduce_mean(yb * tf.math.log(p) + (1 - yb) * tf.math.log(1 - p))  # expect: DLX101
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
