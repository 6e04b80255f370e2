"""Two classes in one column and one sigmoid, but the categorical loss: with a single class it is 0 for every sample.

After Stack Overflow questions on a Keras loss of exactly 0; "wrong loss function" in DeepFD's and Defects4ML's
lists.
"""

# accept: loss-pairing, crossentropy-kind-vs-output, loss-vs-task, output-units-vs-classes

import keras
import numpy as np

rng = np.random.default_rng(61)
keras.utils.set_random_seed(61)
labels = rng.integers(0, 2, 1000)
x = (rng.normal(size=(1000, 12)) + rng.normal(size=(2, 12))[labels]).astype("float32")
y = labels.astype("float32")[:, None]

model = keras.Sequential(
    [
        keras.layers.Dense(32, activation="relu"),
        keras.layers.Dense(1, activation="sigmoid"),  # expect: DLX105, DLX106, DLX107, DLX110, DLX113
    ]
)
model.compile(
    optimizer="adam",
    loss="categorical_crossentropy",  # expect: DLX105, DLX106, DLX107, DLX110, DLX113
    metrics=["accuracy"],
)
model.fit(x, y, batch_size=50, epochs=8, verbose=0)
