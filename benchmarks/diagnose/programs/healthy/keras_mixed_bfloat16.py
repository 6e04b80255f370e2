"""Mixed precision after the TensorFlow guide of that name: layers compute in bfloat16, the last activation in float32."""

import sys

import keras
import numpy as np
from keras import layers

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
random = np.random.default_rng(seed)
keras.mixed_precision.set_global_policy("mixed_bfloat16")
prototypes = random.random((5, 36))
y = random.integers(0, 5, 1200)
x = (prototypes[y] + 0.3 * random.standard_normal((1200, 36))).clip(0, 1).astype("float32")

inputs = keras.Input(shape=(36,), name="digits")
h = layers.Dense(64, activation="relu", name="dense_1")(inputs)
h = layers.Dense(64, activation="relu", name="dense_2")(h)
h = layers.Dense(5, name="dense_logits")(h)
outputs = layers.Activation("softmax", dtype="float32", name="predictions")(h)
model = keras.Model(inputs, outputs)
model.compile(
    loss="sparse_categorical_crossentropy", optimizer=keras.optimizers.RMSprop(2e-3), metrics=["sparse_categorical_accuracy"]
)
history = model.fit(x[:1000], y[:1000], batch_size=32, epochs=6, validation_split=0.2, verbose=2)
assert model.evaluate(x[1000:], y[1000:], verbose=0)[1] > 0.85
