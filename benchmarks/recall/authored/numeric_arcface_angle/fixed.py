"""An additive angular margin on face embeddings.

Follows the reports of NaN losses in ArcFace implementations that take the angle of the cosine without limits.
"""

import tensorflow as tf
from tensorflow.keras import layers


class ArcMargin(layers.Layer):
    def __init__(self, classes, scale=30.0, margin=0.5, **kwargs):
        super().__init__(**kwargs)
        self.classes, self.scale, self.margin = classes, scale, margin

    def build(self, shape):
        self.kernel = self.add_weight(shape=(shape[0][-1], self.classes), initializer="glorot_uniform", name="kernel")

    def call(self, inputs):
        embeddings, one_hot = inputs
        x = tf.nn.l2_normalize(embeddings, axis=1)
        w = tf.nn.l2_normalize(self.kernel, axis=0)
        cosine = tf.matmul(x, w)
        theta = tf.acos(tf.clip_by_value(cosine, -1.0 + 1e-6, 1.0 - 1e-6))
        target = tf.cos(theta + self.margin)
        return self.scale * (one_hot * target + (1.0 - one_hot) * cosine)


def loss(layer, embeddings, labels):
    one_hot = tf.one_hot(labels, layer.classes)
    logits = layer([embeddings, one_hot])
    return tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(one_hot, logits))


if __name__ == "__main__":
    print(loss(ArcMargin(5), tf.random.normal((4, 16)), [0, 1, 2, 3]))
