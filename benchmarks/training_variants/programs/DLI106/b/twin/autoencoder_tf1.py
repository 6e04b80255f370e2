import argparse

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


class Autoencoder:
    def __init__(self, n_input, n_hidden):
        self.x = tf.placeholder(tf.float32, [None, n_input], name="x")
        with tf.variable_scope("encoder"):
            w = tf.get_variable("w", [n_input, n_hidden], initializer=tf.glorot_uniform_initializer(seed=1))
            b = tf.get_variable("b", [n_hidden], initializer=tf.zeros_initializer())
            self.code = tf.nn.tanh(tf.matmul(self.x, w) + b)
        with tf.variable_scope("decoder"):
            w = tf.get_variable("w", [n_hidden, n_input], initializer=tf.glorot_uniform_initializer(seed=2))
            b = tf.get_variable("b", [n_input], initializer=tf.zeros_initializer())
            self.reconstruction = tf.matmul(self.code, w) + b
        self.cost = tf.reduce_mean(tf.square(self.reconstruction - self.x))

    def add_training(self, rate):
        self.optimizer = tf.train.AdamOptimizer(rate).minimize(self.cost)


class Trainer:
    def __init__(self, model, rate):
        self.model = model
        model.add_training(rate)
        self.init = tf.global_variables_initializer()

    def fit(self, data, epochs, batch_size=50):
        with tf.Session() as session:
            session.run(self.init)
            for epoch in range(epochs):
                for start in range(0, len(data), batch_size):
                    feed = {self.model.x: data[start : start + batch_size]}
                    _, cost = session.run([self.model.optimizer, self.model.cost], feed_dict=feed)
                print(f"epoch {epoch}: {cost:.4f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--hidden", type=int, default=4)
    args = parser.parse_args()
    rng = np.random.default_rng(0)
    samples = rng.normal(size=(500, 4)) @ rng.normal(size=(4, 16))
    Trainer(Autoencoder(16, args.hidden), 0.01).fit(samples, args.epochs)
