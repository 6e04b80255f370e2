"""Refinement of reference points in a detection transformer: boxes are corrected in the space before the sigmoid.

Follows the reports of NaN boxes from an inverse sigmoid without limits.
"""

import tensorflow as tf
from tensorflow.keras import layers


class BoxRefiner(layers.Layer):
    def __init__(self, steps=3, **kwargs):
        super().__init__(**kwargs)
        self.heads = [layers.Dense(4) for _ in range(steps)]
        self.start = layers.Dense(4, activation="sigmoid")

    def call(self, queries):
        boxes = self.start(queries)
        for head in self.heads:
            boxes = tf.clip_by_value(boxes, 1e-5, 1.0 - 1e-5)
            logits = tf.math.log(boxes / (1.0 - boxes))
            boxes = tf.sigmoid(logits + head(queries))
        return boxes


if __name__ == "__main__":
    print(BoxRefiner()(tf.random.normal((2, 10, 32))))
