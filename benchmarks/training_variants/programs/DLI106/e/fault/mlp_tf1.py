import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()
tf.set_random_seed(1)
np.random.seed(1)

n_features, n_hidden = 10, 16
X = tf.placeholder(tf.float32, [None, n_features], name="X")
Y = tf.placeholder(tf.float32, [None, 1], name="Y")

with tf.variable_scope("mlp"):
    w1 = tf.get_variable("w1", [n_features, n_hidden], initializer=tf.glorot_uniform_initializer())
    b1 = tf.get_variable("b1", [n_hidden], initializer=tf.zeros_initializer())
    w2 = tf.get_variable("w2", [n_hidden, 1], initializer=tf.glorot_uniform_initializer())

pred = tf.matmul(tf.nn.relu(tf.matmul(X, w1) + b1), w2)
cost = tf.reduce_mean(tf.square(pred - Y))

init = tf.global_variables_initializer()
train_op = tf.train.AdamOptimizer(learning_rate=0.01).minimize(cost)

train_x = np.random.randn(200, n_features)
train_y = train_x[:, :1] * 2 - train_x[:, 1:2]

with tf.Session() as sess:
    sess.run(init)
    for epoch in range(20):
        for i in range(0, 200, 50):
            _, c = sess.run([train_op, cost], feed_dict={X: train_x[i:i + 50], Y: train_y[i:i + 50]})
    print("Optimization finished, cost = %.4f" % c)
