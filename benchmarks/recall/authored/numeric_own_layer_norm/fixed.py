"""A normalisation layer written from the formula.

Follows the reports of NaN from hand-written layer normalisation on padded or constant rows.
"""

import keras
from keras import layers, ops


class RowNormalization(layers.Layer):
    def build(self, input_shape):
        self.gamma = self.add_weight(shape=(input_shape[-1],), initializer="ones", name="gamma")
        self.beta = self.add_weight(shape=(input_shape[-1],), initializer="zeros", name="beta")

    def call(self, inputs):
        mean = ops.mean(inputs, axis=-1, keepdims=True)
        deviation = ops.std(inputs, axis=-1, keepdims=True)
        normalized = (inputs - mean) / (deviation + 1e-6)
        return self.gamma * normalized + self.beta


def text_classifier(vocabulary=1000, length=20):
    inputs = keras.Input((length,), dtype="int32")
    x = layers.Embedding(vocabulary, 16)(inputs)
    x = RowNormalization()(x)
    x = layers.GlobalAveragePooling1D()(x)
    return keras.Model(inputs, layers.Dense(1, activation="sigmoid")(x))


if __name__ == "__main__":
    text_classifier().summary()
