import tensorflow as tf


class Pair(tf.Module):
    def __init__(self):
        super().__init__()
        self.actor = tf.Variable(tf.random.stateless_normal((3, 1), seed=(0, 1)))
        self.critic = tf.Variable(tf.random.stateless_normal((3, 1), seed=(2, 3)))

    def losses(self, x):
        value = x @ self.critic
        policy = tf.tanh(x @ self.actor)
        return {
            "critic": tf.reduce_mean((value - 1.0) ** 2),
            "actor": -tf.reduce_mean(policy * tf.stop_gradient(value)),
        }


def update(pair, x, rate=0.1):
    with tf.GradientTape() as tape:
        losses = pair.losses(x)
    for name, loss in losses.items():
        variable = getattr(pair, name)
        variable.assign_sub(rate * tape.gradient(loss, variable))
    return float(losses["critic"])


if __name__ == "__main__":
    tf.random.set_seed(0)
    pair, x = Pair(), tf.random.normal((16, 3))
    print([update(pair, x) > 0 for _ in range(3)])
