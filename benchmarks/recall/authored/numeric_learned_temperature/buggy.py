"""Calibration by a temperature that is trained.

Follows the reports of infinite logits from a learned temperature that crosses 0.
"""

import keras
from keras import layers, ops


class Temperature(layers.Layer):
    def build(self, input_shape):
        self.temperature = self.add_weight(shape=(1,), initializer="ones", trainable=True, name="temperature")

    def call(self, logits):
        return logits / self.temperature


def calibrated(base, classes):
    inputs = keras.Input((32,))
    logits = layers.Dense(classes)(base(inputs))
    return keras.Model(inputs, Temperature()(logits))


def body():
    return keras.Sequential([layers.Input((32,)), layers.Dense(64, activation="relu")])


if __name__ == "__main__":
    model = calibrated(body(), 10)
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True))
    print(ops.shape(model(keras.random.normal((2, 32)))))
