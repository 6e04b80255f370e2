"""TF1 graph with a placeholder for the dropout rate."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


def data(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 4)).astype("float32")
    return x, np.abs(x).sum(axis=1, keepdims=True).astype("float32")


class Graph:
    def __init__(self):
        tf.set_random_seed(4)
        self.x = tf.placeholder(tf.float32, [None, 4])
        self.y = tf.placeholder(tf.float32, [None, 1])
        self.rate = tf.placeholder(tf.float32, [])
        glorot = tf.glorot_uniform_initializer(seed=4)
        w1, b1 = tf.get_variable("w1", [4, 32], initializer=glorot), tf.get_variable("b1", [32], initializer=tf.zeros_initializer())
        w2, b2 = tf.get_variable("w2", [32, 1], initializer=glorot), tf.get_variable("b2", [1], initializer=tf.zeros_initializer())
        h = tf.nn.dropout(tf.nn.relu(tf.matmul(self.x, w1) + b1), rate=self.rate)
        self.loss = tf.reduce_mean(tf.square(tf.matmul(h, w2) + b2 - self.y))
        self.train = tf.train.AdamOptimizer(5e-3, beta2=0.99).minimize(self.loss)


def main(steps=150):
    graph = Graph()
    x, y = data(1000, 0)
    rng = np.random.default_rng(1)
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for _ in range(steps):
            pick = rng.integers(0, len(x), 50)
            sess.run(graph.train, {graph.x: x[pick], graph.y: y[pick], graph.rate: 0.1})
        test_x, test_y = data(300, 2)
        loss = sess.run(graph.loss, {graph.x: test_x, graph.y: test_y, graph.rate: 0.0})
    print(f"test error {loss:.3f}")


if __name__ == "__main__":
    main()
