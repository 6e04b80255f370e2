import keras
import numpy as np
from keras import layers

keras.utils.set_random_seed(0)
rng = np.random.default_rng(0)
y_train = rng.integers(0, 2, 64)
x_train = (rng.uniform(0, 100, size=(64, 32, 32, 3)) + 100 * y_train[:, None, None, None]).astype("float32")

base_model = keras.applications.MobileNetV2(input_shape=(32, 32, 3), include_top=False, weights=None)
base_model.trainable = False

inputs = keras.Input((32, 32, 3))
x = layers.Rescaling(1 / 127.5, offset=-1)(inputs)
x = base_model(x)
x = layers.GlobalAveragePooling2D()(x)
outputs = layers.Dense(1, activation="sigmoid")(x)
model = keras.Model(inputs, outputs)
model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="binary_crossentropy", metrics=["accuracy"])
history = model.fit(x_train, y_train, batch_size=16, epochs=2, verbose=0)
print("trainable weights", len(model.trainable_weights), f"loss {history.history['loss'][-1]:.4f}")
