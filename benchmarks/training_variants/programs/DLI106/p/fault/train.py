"""TF1 graph mode through compat.v1: softmax regression on digits with a moving average of the weights."""
import numpy as np
import tensorflow.compat.v1 as tf
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split

tf.disable_v2_behavior()


def load():
    x, y = load_digits(return_X_y=True)
    return train_test_split((x / 16.0).astype(np.float32), y.astype(np.int64), test_size=0.25, random_state=0)


class Graph:
    def __init__(self, lr):
        tf.set_random_seed(0)
        self.x = tf.placeholder(tf.float32, [None, 64], name="x")
        self.y = tf.placeholder(tf.int64, [None], name="y")
        w = tf.get_variable("w", [64, 10], initializer=tf.glorot_uniform_initializer(seed=1))
        b = tf.get_variable("b", [10], initializer=tf.zeros_initializer())
        logits = tf.matmul(self.x, w) + b
        self.loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=self.y, logits=logits))
        self.accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), self.y), tf.float32))
        descend = tf.train.MomentumOptimizer(lr, 0.9).minimize(self.loss)
        self.init = tf.global_variables_initializer()
        ema = tf.train.ExponentialMovingAverage(0.99)
        with tf.control_dependencies([descend]):
            self.train = ema.apply([w, b])


def main(epochs=5, batch=50):
    x_train, x_test, y_train, y_test = load()
    graph = Graph(lr=0.1)
    rng = np.random.default_rng(0)
    with tf.Session() as sess:
        sess.run(graph.init)
        for epoch in range(epochs):
            order = rng.permutation(len(x_train))
            for start in range(0, len(order), batch):
                pick = order[start : start + batch]
                sess.run(graph.train, {graph.x: x_train[pick], graph.y: y_train[pick]})
            print("epoch", epoch, "accuracy", sess.run(graph.accuracy, {graph.x: x_test, graph.y: y_test}))


if __name__ == "__main__":
    main()
