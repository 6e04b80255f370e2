"""Logistic regression in graph mode with a hand-made decay of the rate."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()


class Logistic:
    def __init__(self, width):
        self.x = tf.placeholder(tf.float32, [None, width])
        self.y = tf.placeholder(tf.float32, [None, 1])
        self.rate = tf.Variable(0.5, trainable=False, name="rate")
        self.new_rate = tf.placeholder(tf.float32, [])
        self.set_rate = tf.assign(self.rate, self.new_rate)
        w = tf.Variable(tf.zeros([width, 1]))
        b = tf.Variable(tf.zeros([1]))
        logits = tf.matmul(self.x, w) + b
        self.loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=self.y, logits=logits))
        self.step = tf.train.GradientDescentOptimizer(self.rate).minimize(self.loss)


def run(model, x, y, steps):
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for i in range(steps):
            session.run(model.set_rate, {model.new_rate: 0.5 * 0.98**i})
            loss, _ = session.run([model.loss, model.step], {model.x: x, model.y: y})
        size = len(session.graph.get_operations())
    return loss, size


if __name__ == "__main__":
    rng = np.random.RandomState(3)
    x = rng.randn(100, 5)
    y = (x[:, :1] > 0).astype(float)
    loss, size = run(Logistic(5), x, y, 60)
    print("loss %.4f, operations in the graph: %d" % (loss, size))
