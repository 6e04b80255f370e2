import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


class LinearRegression:
    def __init__(self, features, lr):
        self.x = tf.placeholder(tf.float32, [None, features])
        self.y = tf.placeholder(tf.float32, [None])
        with tf.variable_scope("regression"):
            self.w = tf.get_variable("w", [features, 1])
            self.b = tf.get_variable("b", [1], initializer=tf.zeros_initializer())
        self.pred = tf.squeeze(tf.matmul(self.x, self.w) + self.b, axis=1)
        self.cost = tf.reduce_mean(tf.square(self.pred - self.y))
        self.train_op = tf.train.AdamOptimizer(lr).minimize(self.cost)


def main(_):
    rng = np.random.RandomState(0)
    X = rng.rand(100, 4)
    Y = X.dot([1.0, 2.0, 3.0, 4.0])
    model = LinearRegression(4, 0.1)
    with tf.Session() as sess:
        for epoch in range(20):
            _, cost = sess.run([model.train_op, model.cost], {model.x: X, model.y: Y})
            if epoch % 5 == 0:
                print("epoch", epoch, "cost", cost)
        print(sess.run([model.w, model.b]))


if __name__ == "__main__":
    tf.app.run(main)
