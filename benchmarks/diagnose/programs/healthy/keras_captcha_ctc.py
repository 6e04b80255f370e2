"""After the Keras example "OCR model for reading Captchas": convolutions, a recurrent layer, connectionist classification."""

import sys

import keras
import numpy as np
from keras import layers

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
random = np.random.default_rng(seed)
SYMBOLS, LENGTH, STEPS = 4, 3, 16
glyphs = np.random.default_rng(5).random((SYMBOLS, 4, 6), dtype="float32") > 0.5


def captchas(count):
    labels = random.integers(0, SYMBOLS, (count, LENGTH))
    images = 0.2 * random.random((count, 2 * STEPS, 6), dtype="float32")
    for image, label in zip(images, labels, strict=True):
        at = 0
        for symbol in label:
            at += int(random.integers(2, 6))
            image[at : at + 4] += 0.8 * glyphs[symbol]
            at += 4
    return images, labels


class CTCLoss(keras.losses.Loss):
    def call(self, y_true, y_pred):
        lengths = keras.ops.ones((keras.ops.shape(y_true)[0],), dtype="int32")
        # Class 0 is the blank.
        return keras.ops.ctc_loss(y_true + 1, y_pred, LENGTH * lengths, STEPS * lengths, mask_index=0)


inputs = keras.Input(shape=(2 * STEPS, 6))
x = layers.Conv1D(32, 5, padding="same", activation="relu")(inputs)
x = layers.MaxPooling1D(2)(x)
x = layers.Dropout(0.1)(layers.Dense(32, activation="relu")(x))
x = layers.Bidirectional(layers.GRU(24, return_sequences=True))(x)
outputs = layers.Dense(SYMBOLS + 1)(x)
model = keras.Model(inputs, outputs)
model.compile(optimizer=keras.optimizers.Adam(5e-3), loss=CTCLoss())
images, labels = captchas(1200)
history = model.fit(images, labels.astype("int32"), batch_size=32, epochs=5, validation_split=0.1, verbose=2)
print(history.history["loss"])
assert history.history["loss"][-1] < 0.5 * history.history["loss"][0]
