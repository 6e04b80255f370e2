import numpy as np
import tensorflow as tf

from feed.pipeline import FeedConfig, make_feed

tf.random.set_seed(1)


def describe(feed):
    shapes, top = set(), 0.0
    for images, _ in feed:
        shapes.add(tuple(images.shape))
        top = max(top, float(tf.reduce_max(images)))
    return sorted(shapes), round(top, 3)


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    pictures = rng.integers(0, 256, (64, 8, 8, 1)).astype("float32")
    labels = rng.integers(0, 4, 64)
    for training in (True, False):
        print(describe(make_feed(pictures, labels, FeedConfig(batch=16), training=training)))
