"""After the Keras guide "The functional API": support tickets with two inputs and two outputs, whose losses are weighted."""

import sys

import keras
import numpy as np
from keras import layers

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
random = np.random.default_rng(seed)
titles = random.integers(0, 30, (1400, 6))
tags = random.integers(0, 2, (1400, 4)).astype("float32")
department = (titles > 19).sum(1).clip(0, 3)
priority = (1 / (1 + np.exp(2.0 - 0.4 * (titles < 8).sum(1) - tags.sum(1)))).astype("float32")

title_input = keras.Input(shape=(None,), name="title")
tags_input = keras.Input(shape=(4,), name="tags")
title_features = layers.GlobalAveragePooling1D()(layers.Embedding(30, 24)(title_input))
x = layers.concatenate([title_features, tags_input])
x = layers.Dense(32, activation="relu")(x)
priority_pred = layers.Dense(1, name="priority")(x)
department_pred = layers.Dense(4, name="department")(x)
model = keras.Model([title_input, tags_input], {"priority": priority_pred, "department": department_pred})
model.compile(
    optimizer=keras.optimizers.RMSprop(5e-3),
    loss={
        "priority": keras.losses.BinaryCrossentropy(from_logits=True),
        "department": keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    },
    loss_weights={"priority": 1.0, "department": 0.2},
    metrics={"department": "accuracy"},
)
data = {"title": titles, "tags": tags}
history = model.fit(data, {"priority": priority, "department": department}, epochs=8, batch_size=32, verbose=2)
assert history.history["department_accuracy"][-1] > 0.85
