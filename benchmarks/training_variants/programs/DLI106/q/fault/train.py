"""TF1 style training loop in the layout of an old lab exercise."""
import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1
tf1.disable_eager_execution()


def blobs(n, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    return (rng.normal(size=(n, 2)) + 2.5 * np.eye(3, 2)[y]).astype("float32"), y


def layer(x, n_out, name, activation=None):
    with tf1.variable_scope(name):
        w = tf1.get_variable("w", [x.shape[-1], n_out], initializer=tf1.glorot_uniform_initializer(seed=5))
        b = tf1.get_variable("b", [n_out], initializer=tf1.zeros_initializer())
        h = tf1.matmul(x, w) + b
        return activation(h) if activation else h


def build():
    tf1.set_random_seed(5)
    x = tf1.placeholder(tf.float32, [None, 2])
    y = tf1.placeholder(tf.int64, [None])
    logits = layer(layer(x, 24, "hidden", tf.nn.relu), 3, "out")
    loss = tf1.losses.sparse_softmax_cross_entropy(y, logits)
    train = tf1.train.AdamOptimizer(5e-3, beta2=0.99).minimize(loss)
    hits = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), y), tf.float32))
    return x, y, loss, train, hits


def main(epochs=8, batch=50):
    x, y, loss, train, hits = build()
    initialise = tf1.global_variables_initializer()
    data, labels = blobs(1000, 0)
    rng = np.random.default_rng(1)
    with tf1.Session() as sess:
        for epoch in range(epochs):
            sess.run(initialise)
            order = rng.permutation(len(data))
            for part in np.array_split(order, len(data) // batch):
                value, _ = sess.run([loss, train], feed_dict={x: data[part], y: labels[part]})
            print("epoch", epoch, "loss", round(float(value), 4))
        test, answer = blobs(500, 2)
        print("test loss", round(float(sess.run(loss, {x: test, y: answer})), 4), "accuracy", round(float(sess.run(hits, {x: test, y: answer})), 3))


if __name__ == "__main__":
    main()
