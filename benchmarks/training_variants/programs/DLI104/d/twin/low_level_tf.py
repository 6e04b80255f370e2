"""A two-layer network with bare tf.Variable, TF 2."""
import tensorflow as tf

n_input, n_hidden, n_classes = 400, 64, 3
learning_rate, steps, batch_size = 0.05, 20, 32
tf.random.set_seed(4)

weights = {
    "h1": tf.Variable(tf.random.normal([n_input, n_hidden], stddev=n_input**-0.5)),
    "out": tf.Variable(tf.random.normal([n_hidden, n_classes], stddev=n_hidden**-0.5)),
}
biases = {"h1": tf.Variable(tf.zeros([n_hidden])), "out": tf.Variable(tf.zeros([n_classes]))}
optimizer = tf.keras.optimizers.SGD(learning_rate)


def neural_net(x):
    hidden = tf.nn.tanh(tf.matmul(x, weights["h1"]) + biases["h1"])
    return tf.matmul(hidden, weights["out"]) + biases["out"]


def run_optimization(x, y):
    with tf.GradientTape() as g:
        loss = tf.reduce_mean(tf.nn.sparse_softmax_cross_entropy_with_logits(labels=y, logits=neural_net(x)))
    variables = list(weights.values()) + list(biases.values())
    optimizer.apply_gradients(zip(g.gradient(loss, variables), variables))
    return loss


x = tf.random.normal([160, n_input])
y = tf.cast(x[:, 0] > 0, tf.int32) + tf.cast(x[:, 1] > 1, tf.int32)
data = tf.data.Dataset.from_tensor_slices((x, y)).repeat().batch(batch_size)
for step, (bx, by) in enumerate(data.take(steps), 1):
    loss = run_optimization(bx, by)
    if step % 5 == 0:
        print("step: %i, loss: %f" % (step, loss))
