import os
import tempfile

import numpy as np
import tensorflow as tf1

tf = tf1.compat.v1
tf.disable_eager_execution()


class LogReg(object):
    def __init__(self, n, lr=0.1):
        self.x = tf.placeholder(tf.float32, (None, n))
        self.y = tf.placeholder(tf.float32, (None, 1))
        self.w = tf.Variable(tf.random_normal((n, 1), stddev=0.01, seed=4), name="w")
        self.b = tf.Variable(0.0, name="b")
        logits = tf.matmul(self.x, self.w) + self.b
        self.prob = tf.sigmoid(logits)
        self.loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=self.y, logits=logits))
        self.train_op = tf.train.GradientDescentOptimizer(lr).minimize(self.loss)
        self.saver = tf.train.Saver()
        self.path = os.path.join(tempfile.mkdtemp(), "logreg.ckpt")

    def fit(self, x, y, steps=100):
        with tf.Session() as sess:
            sess.run(tf.global_variables_initializer())
            for _ in range(steps):
                sess.run(self.train_op, {self.x: x, self.y: y})
            self.saver.save(sess, self.path)

    def predict(self, x):
        with tf.Session() as sess:
            self.saver.restore(sess, self.path)
            return sess.run(self.prob, {self.x: x})


rng = np.random.RandomState(0)
x = rng.randn(150, 5)
y = (x[:, :1] + 0.3 * rng.randn(150, 1) > 0).astype(np.float32)
clf = LogReg(5)
clf.fit(x[:100], y[:100])
print("accuracy", np.mean((clf.predict(x[100:]) > 0.5) == y[100:]))
