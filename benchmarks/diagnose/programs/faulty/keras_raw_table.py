"""Columns of a table, areas and incomes in the thousands, go into the network as they are; gradient descent explodes.

After Stack Overflow questions on a house price network with a loss of nan; "improper data" in DeepDiagnosis' tree,
normalisation in the nine-step guide.
"""

# accept: input-scale, input-not-scaled

import keras
import numpy as np

rng = np.random.default_rng(46)
keras.utils.set_random_seed(46)
areas = rng.uniform(400, 4000, size=(1000, 1))
incomes = rng.uniform(10_000, 90_000, size=(1000, 1))
rooms = rng.integers(1, 8, size=(1000, 1))
x = np.hstack([areas, incomes, rooms]).astype("float32")
y = (areas / 1000 + incomes / 30_000 + 0.3 * rooms).astype("float32")

model = keras.Sequential(
    [
        keras.layers.Dense(32, activation="relu"),  # expect: DLX101, DLX102, DLX104, DLX109, DLX112
        keras.layers.Dense(32, activation="relu"),
        keras.layers.Dense(1),
    ]
)
model.compile(optimizer=keras.optimizers.SGD(learning_rate=0.01), loss="mse")
model.fit(x, y, batch_size=50, epochs=8, verbose=0)
