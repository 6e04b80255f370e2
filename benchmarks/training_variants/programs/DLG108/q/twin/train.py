"""TF1 graph mode: linear regression; the weights are decayed by hand after each step."""
import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()


def measurements(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 5)).astype("float32")
    return x, (x @ np.array([1.0, -2.0, 0.5, 0.0, 3.0]) + rng.normal(0, 0.1, n)).astype("float32")


class LinearGraph:
    def __init__(self, rate):
        tf.set_random_seed(3)
        self.x = tf.placeholder(tf.float32, [None, 5])
        self.y = tf.placeholder(tf.float32, [None])
        self.w = tf.get_variable("w", [5, 1], initializer=tf.glorot_normal_initializer(seed=3))
        guess = tf.squeeze(tf.matmul(self.x, self.w), axis=1)
        self.loss = tf.reduce_mean(tf.square(guess - self.y))
        self.step = tf.train.GradientDescentOptimizer(rate).minimize(self.loss)
        self.decay = tf.assign(self.w, self.w * 0.999)


def train(graph, session, data, steps, batch):
    x, y = data
    rng = np.random.default_rng(0)
    for _ in range(steps):
        pick = rng.integers(0, len(x), batch)
        session.run(graph.step, {graph.x: x[pick], graph.y: y[pick]})
        session.run(graph.decay)


def main(steps=150):
    graph = LinearGraph(rate=0.05)
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        before = len(tf.get_default_graph().get_operations())
        train(graph, session, measurements(500, 1), steps, 32)
        x, y = measurements(200, 2)
        loss = session.run(graph.loss, {graph.x: x, graph.y: y})
        after = len(tf.get_default_graph().get_operations())
    print(f"test loss {loss:.4f}, operations added while training: {after - before}")


if __name__ == "__main__":
    main()
