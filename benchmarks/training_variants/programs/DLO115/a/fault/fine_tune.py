import keras
import numpy as np
from keras import layers

keras.utils.set_random_seed(0)
rng = np.random.default_rng(0)
x_train = rng.normal(size=(256, 12)).astype("float32")
y_train = (x_train[:, :3].sum(axis=1) > 0).astype("float32")
x_val = rng.normal(size=(64, 12)).astype("float32")
y_val = (x_val[:, :3].sum(axis=1) > 0).astype("float32")

base = keras.Sequential([keras.Input((12,)), layers.Dense(24, activation="relu"), layers.Dense(12, activation="relu")], name="base")
base.trainable = False

model = keras.Sequential([keras.Input((12,)), base, layers.Dense(1, activation="sigmoid")])
model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="binary_crossentropy", metrics=["accuracy"])
model.fit(x_train, y_train, batch_size=32, epochs=2, validation_data=(x_val, y_val), verbose=0)

# unfreeze and fine-tune
before = base.get_weights()[0].copy()
base.trainable = True
model.fit(x_train, y_train, batch_size=32, epochs=2, validation_data=(x_val, y_val), verbose=0)
print("base changed:", not np.array_equal(before, base.get_weights()[0]))
