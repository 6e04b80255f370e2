import numpy as np
import tensorflow as tf

tf1 = tf.compat.v1
tf1.disable_eager_execution()
tf1.set_random_seed(5)
np.random.seed(5)

n_obs, n_act = 3, 2

obs = tf1.placeholder(tf.float32, (None, n_obs), name="obs")
act = tf1.placeholder(tf.int32, (None,), name="act")
adv = tf1.placeholder(tf.float32, (None,), name="adv")

w = tf1.Variable(tf1.random_normal((n_obs, n_act), stddev=0.1))
b = tf1.Variable(tf1.zeros((n_act,)))
logits = tf.matmul(obs, w) + b
sample = tf.squeeze(tf.random.categorical(logits, 1), axis=1)
nll = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=act, logits=logits)
loss = tf.reduce_mean(nll * adv)
train = tf1.train.GradientDescentOptimizer(0.5).minimize(loss)
init = tf1.global_variables_initializer()


def play(sess, n=64):
    states = np.random.randn(n, n_obs)
    actions = sess.run(sample, {obs: states})
    rewards = np.where((states[:, 0] > 0) == (actions == 1), 1.0, -1.0)
    return states, actions, rewards


with tf1.Session() as sess:
    for epoch in range(25):
        sess.run(init)
        states, actions, rewards = play(sess)
        sess.run(train, {obs: states, act: actions, adv: rewards})
        if epoch % 6 == 0:
            print("epoch %d mean reward %.3f" % (epoch, rewards.mean()))
