from functools import partial

import numpy as np
import tensorflow as tf

tf.random.set_seed(0)
np.random.seed(0)


def corrupt(x, rate):
    keep = tf.random.uniform((x.shape[-1],)) > rate
    return tf.where(keep, x, tf.zeros_like(x))


class Imputer(tf.Module):
    def __init__(self, size):
        super().__init__()
        self.layer = tf.Variable(tf.random.normal((size, size), stddev=0.1))
        self.noise = partial(corrupt, rate=0.5)

    @tf.function(reduce_retracing=True)
    def step(self, x, rate):
        damaged = self.noise(x)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((damaged @ self.layer - x) ** 2)
        self.layer.assign_sub(rate * tape.gradient(loss, self.layer))
        return damaged


if __name__ == "__main__":
    imputer = Imputer(12)
    batch = tf.ones((1, 12))
    seen = {tuple(imputer.step(batch, tf.constant(0.1)).numpy()[0]) for _ in range(8)}
    print("different masks:", len(seen) > 1)
