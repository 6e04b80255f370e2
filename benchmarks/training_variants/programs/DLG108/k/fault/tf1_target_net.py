import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()


def q_network(state, scope, actions=3):
    with tf.variable_scope(scope):
        w1 = tf.get_variable("w1", [4, 16], initializer=tf.glorot_uniform_initializer(seed=1))
        b1 = tf.get_variable("b1", [16], initializer=tf.zeros_initializer())
        w2 = tf.get_variable("w2", [16, actions], initializer=tf.glorot_uniform_initializer(seed=2))
    variables = tf.get_collection(tf.GraphKeys.GLOBAL_VARIABLES, scope=scope)
    return tf.matmul(tf.nn.relu(tf.matmul(state, w1) + b1), w2), variables


class DQN:
    def __init__(self, rate=0.01, gamma=0.9):
        self.gamma = gamma
        self.state = tf.placeholder(tf.float32, [None, 4])
        self.action = tf.placeholder(tf.int32, [None])
        self.goal = tf.placeholder(tf.float32, [None])
        self.q, self.online = q_network(self.state, "online")
        self.q_target, self.target = q_network(self.state, "target")
        chosen = tf.reduce_sum(self.q * tf.one_hot(self.action, 3), axis=1)
        self.loss = tf.reduce_mean(tf.square(chosen - self.goal))
        self.train_op = tf.train.AdamOptimizer(rate).minimize(self.loss)

    def copy_weights(self, sess):
        sess.run([tf.assign(t, o) for t, o in zip(self.target, self.online)])


def main(steps=30):
    rng = np.random.default_rng(0)
    agent = DQN()
    with tf.Session() as sess:
        sess.run(tf.global_variables_initializer())
        for step in range(steps):
            state, following = rng.normal(size=(2, 16, 4))
            action = rng.integers(0, 3, 16)
            future = sess.run(agent.q_target, {agent.state: following}).max(axis=1)
            goal = (action == state[:, :3].argmax(1)) + agent.gamma * future
            feed = {agent.state: state, agent.action: action, agent.goal: goal}
            loss, _ = sess.run([agent.loss, agent.train_op], feed)
            if step % 5 == 0:
                agent.copy_weights(sess)
        print("loss %.4f ops %d" % (loss, len(tf.get_default_graph().get_operations())))


if __name__ == "__main__":
    main()
