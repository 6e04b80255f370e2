"""After the Keras example "Convolutional autoencoder for image denoising": noisy images in, clean ones as targets."""

import sys

import keras
import numpy as np
from keras import layers

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
random = np.random.default_rng(seed)
# Rings of random centre and radius.
grid = np.arange(12)
centre, radius = random.uniform(4, 8, (900, 2, 1, 1)), random.uniform(2, 4, (900, 1, 1))
distance = np.hypot(grid[:, None] - centre[:, 0], grid - centre[:, 1]) - radius
data = np.exp(-(distance**2)).astype("float32")[..., None]
noisy = np.clip(data + 0.4 * random.standard_normal(data.shape), 0.0, 1.0).astype("float32")

inputs = layers.Input(shape=(12, 12, 1))
x = layers.Conv2D(16, (3, 3), activation="relu", padding="same")(inputs)
x = layers.MaxPooling2D((2, 2), padding="same")(x)
x = layers.Conv2D(16, (3, 3), activation="relu", padding="same")(x)
x = layers.Conv2DTranspose(16, (3, 3), strides=2, activation="relu", padding="same")(x)
outputs = layers.Conv2D(1, (3, 3), activation="sigmoid", padding="same")(x)
autoencoder = keras.Model(inputs, outputs)
autoencoder.compile(optimizer=keras.optimizers.Adam(3e-3), loss="binary_crossentropy")
held = (noisy[800:], data[800:])
autoencoder.fit(noisy[:800], data[:800], epochs=6, batch_size=32, shuffle=True, validation_data=held, verbose=2)
error = np.mean((autoencoder.predict(noisy[800:], verbose=0) - data[800:]) ** 2)
print(f"error {error:.4f}, of the noisy images {np.mean((noisy[800:] - data[800:]) ** 2):.4f}")
assert error < 0.5 * np.mean((noisy[800:] - data[800:]) ** 2)
