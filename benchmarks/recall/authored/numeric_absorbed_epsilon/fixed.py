"""Cross-entropy of an autoencoder's reconstruction, with a small number against log(0).

Follows the variational autoencoders that write `log(1e-10 + 1 - p)`, copied from the first TensorFlow tutorials.
"""

import tensorflow as tf


class Autoencoder(tf.Module):
    def __init__(self, features, hidden):
        super().__init__()
        self.w1 = tf.Variable(tf.random.normal((features, hidden), stddev=0.1))
        self.b1 = tf.Variable(tf.zeros((hidden,)))
        self.w2 = tf.Variable(tf.random.normal((hidden, features), stddev=0.1))
        self.b2 = tf.Variable(tf.zeros((features,)))

    def reconstruct(self, x):
        hidden = tf.nn.softplus(x @ self.w1 + self.b1)
        return tf.nn.sigmoid(hidden @ self.w2 + self.b2)

    def loss(self, x):
        p = self.reconstruct(x)
        positive = x * tf.math.log(1e-10 + p)
        negative = (1 - x) * tf.math.log(1e-7 + (1 - p))
        return -tf.reduce_mean(tf.reduce_sum(positive + negative, axis=1))


if __name__ == "__main__":
    model = Autoencoder(20, 5)
    optimizer = tf.keras.optimizers.Adam(1e-3)
    batch = tf.cast(tf.random.uniform((4, 20)) > 0.5, tf.float32)
    for _ in range(10):
        with tf.GradientTape() as tape:
            loss = model.loss(batch)
        variables = model.trainable_variables
        optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
