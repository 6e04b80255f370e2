import tensorflow as tf


def weight_variable(shape, name):
    fan = shape[0] * shape[1] * shape[2] if len(shape) == 4 else shape[0]
    initial = tf.random.truncated_normal(shape, stddev=(2.0 / fan) ** 0.5)
    return tf.Variable(initial, name=name)


def bias_variable(shape, name):
    return tf.Variable(tf.zeros(shape), name=name)


class LeNet(tf.Module):
    def __init__(self, classes):
        super().__init__()
        self.w1, self.b1 = weight_variable([5, 5, 1, 6], "w1"), bias_variable([6], "b1")
        self.w2, self.b2 = weight_variable([3, 3, 6, 12], "w2"), bias_variable([12], "b2")
        self.w3, self.b3 = weight_variable([12 * 9, 32], "w3"), bias_variable([32], "b3")
        self.w4, self.b4 = weight_variable([32, classes], "w4"), bias_variable([classes], "b4")

    def __call__(self, x):
        x = tf.nn.relu(tf.nn.conv2d(x, self.w1, 2, "SAME") + self.b1)
        x = tf.nn.relu(tf.nn.conv2d(x, self.w2, 2, "SAME") + self.b2)
        x = tf.nn.relu(tf.reshape(x, [-1, 12 * 9]) @ self.w3 + self.b3)
        return x @ self.w4 + self.b4


@tf.function
def step(net, optimizer, x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=net(x)))
    optimizer.apply_gradients(zip(tape.gradient(loss, net.trainable_variables), net.trainable_variables))
    return loss


if __name__ == "__main__":
    tf.random.set_seed(0)
    images = tf.random.normal((96, 12, 12, 1))
    labels = tf.cast(tf.reduce_mean(images[:, :6], axis=(1, 2, 3)) > 0, tf.int32)
    net, optimizer = LeNet(2), tf.keras.optimizers.Adam(1e-3)
    optimizer.build(net.trainable_variables)
    for epoch in range(4):
        for i in range(0, 96, 24):
            loss = step(net, optimizer, images[i:i + 24], labels[i:i + 24])
        print(epoch, round(float(loss), 4))
