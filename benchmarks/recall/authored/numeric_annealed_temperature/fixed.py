"""Attention whose temperature is lowered over the training.

Follows the reports of NaN attention at the end of schedules that go down to 0.
"""

import keras
from keras import layers, ops


class AnnealedAttention(layers.Layer):
    def __init__(self, width, **kwargs):
        super().__init__(**kwargs)
        self.query = layers.Dense(width)
        self.key = layers.Dense(width)

    def call(self, inputs, progress):
        scores = ops.matmul(self.query(inputs), ops.transpose(self.key(inputs), (0, 2, 1)))
        temperature = ops.maximum(1.0 - ops.sigmoid(progress), 0.05)
        weights = ops.softmax(scores / temperature)
        return ops.matmul(weights, inputs)


if __name__ == "__main__":
    print(AnnealedAttention(4)(keras.random.normal((2, 3, 5)), ops.zeros((1,))))
