"""Two of a hundred samples are positive, and the loss weighs all alike: the model says "negative" to everything.

After Stack Overflow questions on a Keras model that predicts the majority class; "unbalanced data" in DeepFD's
list.
"""

# accept: class-weight, class-weights, class-imbalance

import keras
import numpy as np

rng = np.random.default_rng(59)
keras.utils.set_random_seed(59)
positive = rng.random(4000) < 0.02
x = (rng.normal(size=(4000, 8)) + 0.7 * positive[:, None]).astype("float32")
y = positive.astype("float32")

model = keras.Sequential([keras.layers.Dense(24, activation="relu"), keras.layers.Dense(1, activation="sigmoid")])
model.compile(
    optimizer="adam",
    loss="binary_crossentropy",  # expect: DLX107, DLX112
    metrics=["accuracy"],
)
model.fit(x, y, batch_size=80, epochs=4, verbose=0)  # expect: DLX107, DLX112
