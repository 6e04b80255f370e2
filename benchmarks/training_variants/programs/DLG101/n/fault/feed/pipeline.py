from dataclasses import dataclass

import tensorflow as tf


@dataclass(frozen=True)
class FeedConfig:
    batch: int = 32
    shuffle: int = 128


def rescale(image, label):
    return image / 255.0, label


def make_feed(images, labels, config, *, training):
    feed = tf.data.Dataset.from_tensor_slices((images, labels))
    if training:
        feed = feed.shuffle(config.shuffle, seed=7)
    feed.map(rescale, num_parallel_calls=tf.data.AUTOTUNE).batch(config.batch)
    return feed.prefetch(tf.data.AUTOTUNE)
