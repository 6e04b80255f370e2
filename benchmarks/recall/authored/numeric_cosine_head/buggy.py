"""Cosine similarity between text and image embeddings.

Follows the reports of NaN similarity in two-tower models for empty texts, whose pooled embedding is the zero vector.
"""

import tensorflow as tf
from tensorflow import keras


class TwoTower(keras.Model):
    def __init__(self, width=16):
        super().__init__()
        self.text = keras.layers.Dense(width, use_bias=False, activation="relu")
        self.image = keras.layers.Dense(width, use_bias=False, activation="relu")
        self.scale = self.add_weight(shape=(), initializer=keras.initializers.Constant(10.0), name="scale")

    def call(self, inputs):
        text, image = self.text(inputs[0]), self.image(inputs[1])
        text = text / tf.norm(text, axis=-1, keepdims=True)
        image = tf.math.l2_normalize(image, axis=-1)
        return self.scale * tf.matmul(text, image, transpose_b=True)


if __name__ == "__main__":
    model = TwoTower()
    print(model([tf.random.normal((4, 8)), tf.random.normal((4, 12))]))
