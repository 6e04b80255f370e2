"""The tape gives the gradients, but nothing applies them: the loss of every epoch is the same.

After Stack Overflow questions on a custom training loop that does not learn; "missing step" in Defects4ML's and
Theia's lists.
"""

# backend: tensorflow
# accept: optimizer-step

import keras
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(65)
keras.utils.set_random_seed(65)
x = rng.normal(size=(800, 6)).astype("float32")
y = (x @ rng.normal(size=(6, 1))).astype("float32")

model = keras.Sequential([keras.Input((6,)), keras.layers.Dense(32, activation="relu"), keras.layers.Dense(1)])
optimizer = keras.optimizers.Adam(0.01)  # expect: DLX105, DLX106
for epoch in range(8):
    for start in range(0, len(x), 40):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((model(x[start : start + 40]) - y[start : start + 40]) ** 2)  # expect: DLX105, DLX106
        gradients = tape.gradient(loss, model.trainable_variables)  # expect: DLX105, DLX106
