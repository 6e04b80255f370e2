import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()


class AutoEncoder(object):
    def __init__(self, n_input, n_hidden, learning_rate):
        self.x = tf.placeholder(tf.float32, [None, n_input])
        w1 = tf.get_variable("w1", [n_input, n_hidden], initializer=tf.glorot_uniform_initializer())
        b1 = tf.get_variable("b1", [n_hidden], initializer=tf.zeros_initializer())
        w2 = tf.get_variable("w2", [n_hidden, n_input], initializer=tf.glorot_uniform_initializer())
        b2 = tf.get_variable("b2", [n_input], initializer=tf.zeros_initializer())
        self.hidden = tf.nn.softplus(tf.matmul(self.x, w1) + b1)
        self.reconstruction = tf.matmul(self.hidden, w2) + b2
        self.cost = tf.reduce_mean(tf.square(self.reconstruction - self.x))
        self.optimizer = tf.train.AdamOptimizer(learning_rate).minimize(self.cost)

    def partial_fit(self, sess, batch):
        cost, _ = sess.run((self.cost, self.optimizer), feed_dict={self.x: batch})
        return cost


def main():
    np.random.seed(0)
    tf.set_random_seed(0)
    data = np.random.randn(128, 3).dot(np.random.randn(3, 12)).astype("float32")
    autoencoder = AutoEncoder(12, 4, learning_rate=0.01)
    saver = tf.train.Saver()
    with tf.Session() as sess:
        for epoch in range(4):
            np.random.shuffle(data)
            costs = [autoencoder.partial_fit(sess, data[i:i + 32]) for i in range(0, 128, 32)]
            print("Epoch:", "%04d" % (epoch + 1), "cost=", "{:.5f}".format(np.mean(costs)))
        saver.save(sess, "./autoencoder.ckpt")


if __name__ == "__main__":
    main()
