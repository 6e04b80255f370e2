import numpy as np
import tensorflow as tf

np.random.seed(0)
tf.random.set_seed(0)
n_in, n_hidden, n_out = 64, 32, 4

protos = np.random.rand(n_out, n_in)
labels = np.random.randint(0, n_out, 256)
data = (protos[labels] + np.random.normal(0, 0.2, (256, n_in))).astype(np.float32)
onehot = tf.one_hot(labels, n_out)

W1 = tf.Variable(tf.random.truncated_normal([n_in, n_hidden], stddev=0.1))
b1 = tf.Variable(tf.zeros([n_hidden]))
W2 = tf.Variable(tf.random.truncated_normal([n_hidden, n_out], stddev=0.1))
b2 = tf.Variable(tf.zeros([n_out]))


def multilayer_perceptron(x):
    hidden = tf.nn.relu(tf.add(tf.matmul(x, W1), b1))
    return tf.matmul(hidden, W2) + b2


optimizer = tf.optimizers.SGD(0.5)
for step in range(50):
    i = (step * 64) % 256
    with tf.GradientTape() as g:
        logits = multilayer_perceptron(data[i:i + 64])
        loss = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits(labels=onehot[i:i + 64], logits=logits))
    params = [W1, b1, W2, b2]
    optimizer.apply_gradients(zip(g.gradient(loss, params), params))

acc = np.mean(np.argmax(multilayer_perceptron(data).numpy(), 1) == labels)
print("loss %.4f accuracy %.3f" % (float(loss), acc))
