import itertools

import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import Dense, Dropout, Input
from tensorflow.keras.models import Sequential

x = np.linspace(-1, 1, 128).reshape(-1, 1).astype("float32")
y = np.sin(3 * x)


def create_model(units, dropout, lr):
    model = Sequential()
    model.add(Input((1,)))
    model.add(Dense(units, activation="tanh"))
    model.add(Dropout(dropout))
    model.add(Dense(1))
    model.compile(loss="mse", optimizer=tf.keras.optimizers.Adam(learning_rate=lr))
    return model


grid = {"units": [8, 16], "dropout": [0.0, 0.2], "lr": [0.01]}
best = (np.inf, None)
for values in itertools.product(*grid.values()):
    params = dict(zip(grid, values))
    tf.keras.backend.clear_session()
    tf.keras.utils.set_random_seed(0)
    model = create_model(**params)
    model.fit(x, y, epochs=2, batch_size=32, verbose=0)
    loss = model.evaluate(x, y, verbose=0)
    print(params, "%.4f" % loss)
    if loss < best[0]:
        best = (loss, params)
print("best", best[1])
