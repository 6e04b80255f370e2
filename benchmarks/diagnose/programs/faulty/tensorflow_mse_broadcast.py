"""Predictions of shape (B, 1) meet targets of shape (B): every prediction is drawn to the mean of all targets.

After Stack Overflow questions on custom TensorFlow losses that predict the mean; "wrong shape of labels" in Theia's
list.
"""

# backend: tensorflow
# accept: target-shape, suspicious-broadcast

import keras
import numpy as np
import tensorflow as tf

rng = np.random.default_rng(66)
keras.utils.set_random_seed(66)
x = rng.normal(size=(1000, 6)).astype("float32")
y = (x @ rng.normal(size=6)).astype("float32")

model = keras.Sequential([keras.Input((6,)), keras.layers.Dense(32, activation="relu"), keras.layers.Dense(1)])
optimizer = keras.optimizers.Adam(0.01)
for epoch in range(8):
    for start in range(0, len(x), 50):
        with tf.GradientTape() as tape:
            difference = model(x[start : start + 50]) - y[start : start + 50]  # expect: DLX106, DLX110, DLX113
            loss = tf.reduce_mean(difference**2)  # expect: DLX106, DLX110, DLX113
        gradients = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
