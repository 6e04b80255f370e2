"""After the Keras example "Timeseries forecasting for weather prediction": an LSTM over a window, standardised columns."""

import sys

import keras
import numpy as np
from keras import layers

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
random = np.random.default_rng(seed)
hours = np.arange(1500)
temperature = 10 + 8 * np.sin(hours * 2 * np.pi / 24) + 4 * np.sin(hours * 2 * np.pi / 400) + random.standard_normal(1500)
pressure = 1000 + 10 * np.cos(hours * 2 * np.pi / 300) + random.standard_normal(1500)
data = np.stack([temperature, pressure], 1)
data = (data - data[:1000].mean(0)) / data[:1000].std(0)


def windows(first, last, past=24, ahead=6):
    return keras.utils.timeseries_dataset_from_array(
        data[first:last].astype("float32"), data[first + past + ahead : last, :1], past, sampling_rate=1, batch_size=32
    )


train, validation = windows(0, 1000), windows(1000, 1500)
inputs = layers.Input(shape=(24, 2))
outputs = layers.Dense(1)(layers.LSTM(24)(inputs))
model = keras.Model(inputs, outputs)
model.compile(optimizer=keras.optimizers.Adam(learning_rate=5e-3), loss="mse")
history = model.fit(train, epochs=6, validation_data=validation, verbose=2)
assert history.history["val_loss"][-1] < 0.4
