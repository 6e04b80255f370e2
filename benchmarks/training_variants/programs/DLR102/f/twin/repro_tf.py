"""Five runs of the same small network have to give the same table for the appendix."""
import os
import random

import numpy as np
import tensorflow as tf


def reset_seeds(seed=1):
    os.environ["PYTHONHASHSEED"] = str(seed)
    random.seed(seed)
    np.random.seed(seed)
    tf.random.set_seed(seed)
    tf.config.experimental.enable_op_determinism()


def build():
    model = tf.keras.Sequential([
        tf.keras.Input((12, 12, 1)),
        tf.keras.layers.Conv2D(6, 3, activation="relu"),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(3, activation="softmax"),
    ])
    model.compile("adam", "sparse_categorical_crossentropy")
    return model


reset_seeds(2023)
x = np.random.rand(60, 12, 12, 1).astype("float32")
y = np.random.randint(0, 3, 60)
model = build()
model.fit(x, y, epochs=2, batch_size=20, verbose=0, shuffle=False)
print("%.5f" % model.evaluate(x, y, verbose=0))
