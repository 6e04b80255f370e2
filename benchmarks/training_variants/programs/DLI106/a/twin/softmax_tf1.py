import numpy as np
import tensorflow.compat.v1 as tf
from sklearn.datasets import load_digits

tf.disable_v2_behavior()
tf.set_random_seed(0)
np.random.seed(0)

digits = load_digits()
images = digits.data / 16.0
labels = np.eye(10)[digits.target]

x = tf.placeholder(tf.float32, [None, 64])
y_ = tf.placeholder(tf.float32, [None, 10])
W1 = tf.Variable(tf.truncated_normal([64, 32], stddev=0.1))
b1 = tf.Variable(tf.zeros([32]))
W2 = tf.Variable(tf.truncated_normal([32, 10], stddev=0.1))
b2 = tf.Variable(tf.zeros([10]))

hidden = tf.nn.relu(tf.matmul(x, W1) + b1)
logits = tf.matmul(hidden, W2) + b2
cross_entropy = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y_, logits=logits))
train_step = tf.train.GradientDescentOptimizer(0.5).minimize(cross_entropy)
accuracy = tf.reduce_mean(tf.cast(tf.equal(tf.argmax(logits, 1), tf.argmax(y_, 1)), tf.float32))

sess = tf.Session()
init = tf.global_variables_initializer()
sess.run(init)
for i in range(200):
    batch = np.random.randint(0, len(images), 50)
    sess.run(train_step, feed_dict={x: images[batch], y_: labels[batch]})
    if i % 50 == 0:
        print(i, sess.run(cross_entropy, feed_dict={x: images, y_: labels}))
print("accuracy", sess.run(accuracy, feed_dict={x: images, y_: labels}))
sess.close()
