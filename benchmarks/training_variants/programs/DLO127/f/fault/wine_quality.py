import numpy as np
import pandas as pd
from tensorflow import keras
from tensorflow.keras import regularizers
from tensorflow.keras.layers import BatchNormalization, Dense

keras.utils.set_random_seed(21)
rng = np.random.default_rng(21)
wine = pd.DataFrame(rng.normal(size=(320, 6)), columns=["acid", "sugar", "chlor", "sulf", "ph", "alc"])
wine["quality"] = 5 + wine["alc"] - 0.6 * wine["acid"] + rng.normal(0, 0.2, 320)

target = wine.pop("quality").to_numpy()
features = wine.to_numpy()

reg = regularizers.l1(0.5)

model = keras.models.Sequential([
    keras.Input((features.shape[1],)),
    Dense(32, activation="relu", kernel_regularizer=reg),
    BatchNormalization(),
    Dense(16, activation="relu", kernel_regularizer=reg),
    Dense(1),
])
model.compile(optimizer=keras.optimizers.Adam(0.01), loss="mse", metrics=["mae"])
h = model.fit(features, target, validation_split=0.25, epochs=8, batch_size=32, verbose=0)
print("val mae %.4f" % h.history["val_mae"][-1])
