import keras
import numpy as np
from keras import layers

keras.utils.set_random_seed(1)
rng = np.random.default_rng(1)
x = rng.normal(size=(300, 10)).astype("float32")
y = (x @ rng.normal(size=(10, 1)) + 0.5 * rng.normal(size=(300, 1))).astype("float32")

model = keras.Sequential(
    [
        keras.Input((10,)),
        layers.Dense(64, activation="relu"),
        layers.Dense(64, activation="relu"),
        layers.Dense(1),
    ]
)
model.compile(optimizer=keras.optimizers.Adam(5e-3), loss="mse", metrics=["mae"])

early_stopping = keras.callbacks.EarlyStopping(monitor="val_loss", patience=3, restore_best_weights=True)
history = model.fit(x, y, epochs=40, batch_size=30, validation_split=0.2, callbacks=[early_stopping], verbose=0)
print("stopped after", len(history.epoch), "epochs")
