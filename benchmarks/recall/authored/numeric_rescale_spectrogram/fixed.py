"""Spectrograms scaled to [0, 1] inside the model.

Follows the reports of NaN for silent clips in audio classifiers that divide by max - min.
"""

import keras
from keras import layers, ops


class UnitRange(layers.Layer):
    def call(self, spectrogram):
        low = ops.min(spectrogram, axis=(1, 2), keepdims=True)
        high = ops.max(spectrogram, axis=(1, 2), keepdims=True)
        return (spectrogram - low) / ops.maximum(high - low, 1e-6)


def classifier(bins=64, frames=100, classes=10):
    inputs = keras.Input((bins, frames))
    x = UnitRange()(inputs)
    x = layers.Reshape((bins, frames, 1))(x)
    x = layers.Conv2D(16, 3, activation="relu")(x)
    x = layers.GlobalAveragePooling2D()(x)
    return keras.Model(inputs, layers.Dense(classes, activation="softmax")(x))


if __name__ == "__main__":
    model = classifier()
    model.compile("adam", "sparse_categorical_crossentropy")
