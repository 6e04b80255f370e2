import argparse

import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1
tf1.disable_eager_execution()


def layer(x, units, name, activation=None):
    with tf1.variable_scope(name):
        w = tf1.get_variable("w", [x.shape[1], units], initializer=tf1.truncated_normal_initializer(stddev=0.2, seed=1))
        b = tf1.get_variable("b", [units], initializer=tf1.zeros_initializer())
    out = tf1.matmul(x, w) + b
    return activation(out) if activation else out


def build(features, classes, rate):
    x = tf1.placeholder(tf.float32, [None, features], name="x")
    y = tf1.placeholder(tf.int64, [None], name="y")
    logits = layer(layer(x, 32, "hidden", tf.nn.relu), classes, "logits")
    loss = tf1.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=logits))
    train_op = tf1.train.GradientDescentOptimizer(rate).minimize(loss)
    return x, y, loss, train_op


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--rate", type=float, default=0.3)
    args = parser.parse_args()
    rng = np.random.default_rng(0)
    features = rng.normal(size=(160, 6)).astype("float32")
    labels = features[:, :3].argmax(1)
    x, y, loss, train_op = build(6, 3, args.rate)
    init = tf1.global_variables_initializer()
    with tf1.Session() as sess:
        for epoch in range(args.epochs):
            sess.run(init)
            total = 0.0
            for i in range(0, 160, 32):
                feed = {x: features[i:i + 32], y: labels[i:i + 32]}
                total += sess.run([loss, train_op], feed_dict=feed)[0]
            print("epoch %d loss %.4f" % (epoch, total / 5))


if __name__ == "__main__":
    main()
