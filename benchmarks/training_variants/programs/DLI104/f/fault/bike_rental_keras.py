import numpy as np
import pandas as pd
from tensorflow import keras
from tensorflow.keras import initializers, layers

keras.utils.set_random_seed(50)

hours = pd.DataFrame({"hr": np.arange(600) % 24, "temp": np.random.rand(600), "hum": np.random.rand(600)})
hours["cnt"] = np.sin(hours.hr / 24 * 2 * np.pi) + hours.temp - 0.5 * hours.hum
onehot = pd.get_dummies(hours["hr"], dtype="float32")
X = np.hstack([onehot.to_numpy(), hours[["temp", "hum"]].to_numpy()]).astype("float32")
y = hours["cnt"].to_numpy().astype("float32")

init = initializers.RandomUniform(minval=0.0, maxval=1.0, seed=1)

model = keras.Sequential([keras.Input((X.shape[1],))])
for units in (256, 128):
    model.add(layers.Dense(units, activation="sigmoid", kernel_initializer=init))
model.add(layers.Dense(1, kernel_initializer=init))
model.compile(optimizer=keras.optimizers.SGD(learning_rate=0.01), loss="mse")

history = model.fit(X[:480], y[:480], epochs=4, batch_size=32, validation_data=(X[480:], y[480:]), verbose=0)
print("val loss", [round(v, 4) for v in history.history["val_loss"]])
