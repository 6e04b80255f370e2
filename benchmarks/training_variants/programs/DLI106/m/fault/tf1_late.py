import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_eager_execution()


def scope(build):
    def make(*args):
        with tf.variable_scope(build.__name__):
            return build(*args)

    return make


@scope
def model(x):
    w = tf.get_variable("w", (3, 1), initializer=tf.glorot_uniform_initializer(seed=1))
    return tf.matmul(x, w)


@scope
def training(loss):
    return tf.train.AdamOptimizer(0.01).minimize(loss)


def main():
    tf.set_random_seed(0)
    x = tf.placeholder(tf.float32, (None, 3))
    out = model(x)
    start = tf.global_variables_initializer()
    step = training(tf.reduce_mean(tf.square(out - 1.0)))
    with tf.Session() as session:
        session.run(start)
        for _ in range(3):
            session.run(step, {x: np.ones((4, 3), "float32")})
        print(session.run(out, {x: np.ones((1, 3), "float32")}).shape)


if __name__ == "__main__":
    main()
