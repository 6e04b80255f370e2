import numpy as np
import tensorflow as tf


class LossScaler(tf.Module):
    """Scales each loss by a running mean of its size."""

    def __init__(self, momentum=0.9):
        super().__init__()
        self.momentum = momentum
        self.mean = tf.Variable(1.0, trainable=False)

    @tf.function
    def __call__(self, loss):
        self.mean.assign(self.momentum * self.mean + (1 - self.momentum) * loss)
        return loss / self.mean


def main():
    tf.random.set_seed(0)
    net = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(8, activation="gelu"), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.Adam(1e-2)
    scaler = LossScaler()
    x = np.random.RandomState(0).rand(64, 4).astype("float32")
    y = 100 * x.prod(axis=1, keepdims=True)
    for step in range(10):
        with tf.GradientTape() as tape:
            raw = tf.reduce_mean(tf.square(net(x, training=True) - y))
            loss = scaler(raw)
        grads = tape.gradient(loss, net.trainable_variables)
        optimizer.apply_gradients(zip(grads, net.trainable_variables))
    print("raw %.3f scaled %.3f" % (raw, loss))


main()
