import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

np.random.seed(0)
tf.set_random_seed(0)
protos = np.random.rand(3, 20)
labels = np.random.randint(0, 3, 300)
xs = protos[labels] + np.random.normal(0, 0.3, (300, 20))
ys = np.eye(3)[labels]

x = tf.placeholder(tf.float32, [None, 20])
y_ = tf.placeholder(tf.float32, [None, 3])
W = tf.Variable(tf.zeros([20, 3]))
b = tf.Variable(tf.zeros([3]))
logits = tf.matmul(x, W) + b
cross_entropy = tf.reduce_mean(tf.nn.softmax_cross_entropy_with_logits_v2(labels=y_, logits=logits))
train_step = tf.train.GradientDescentOptimizer(0.5).minimize(cross_entropy)
correct_prediction = tf.equal(tf.argmax(logits, 1), tf.argmax(y_, 1))
accuracy = tf.reduce_mean(tf.cast(correct_prediction, tf.float32))

with tf.Session() as sess:
    sess.run(tf.global_variables_initializer())
    for epoch in range(10):
        for i in range(0, 240, 40):
            sess.run(train_step, feed_dict={x: xs[i:i + 40], y_: ys[i:i + 40]})
        print(epoch, "%.3f" % sess.run(accuracy, feed_dict={x: xs[240:], y_: ys[240:]}))
