"""Skip-gram with negative sampling in graph mode."""

import numpy as np
import tensorflow.compat.v1 as tf

tf.disable_v2_behavior()

VOCAB, DIM, STEPS = 50, 8, 60


class SkipGram:
    def __init__(self):
        self.centre = tf.placeholder(tf.int32, [None])
        self.context = tf.placeholder(tf.int32, [None])
        self.label = tf.placeholder(tf.float32, [None])
        self.embedding = tf.get_variable("embedding", [VOCAB, DIM], initializer=tf.random_uniform_initializer(-0.1, 0.1, seed=1))
        self.output = tf.get_variable("output", [VOCAB, DIM], initializer=tf.random_uniform_initializer(-0.1, 0.1, seed=2))
        a = tf.nn.embedding_lookup(self.embedding, self.centre)
        b = tf.nn.embedding_lookup(self.output, self.context)
        logits = tf.reduce_sum(a * b, axis=1)
        self.loss = tf.reduce_mean(tf.nn.sigmoid_cross_entropy_with_logits(labels=self.label, logits=logits))
        self.train_op = tf.train.AdamOptimizer(0.05).minimize(self.loss)
        self.norm_op = tf.reduce_mean(tf.norm(self.embedding, axis=1))

    def mean_norm(self, session):
        return session.run(self.norm_op)


def sample(rng, size=64):
    centre = rng.integers(0, VOCAB, size)
    label = rng.integers(0, 2, size)
    context = np.where(label == 1, (centre + 1) % VOCAB, rng.integers(0, VOCAB, size))
    return centre, context, label


def main():
    tf.set_random_seed(0)
    rng = np.random.default_rng(0)
    model = SkipGram()
    with tf.Session() as session:
        session.run(tf.global_variables_initializer())
        for step in range(STEPS):
            centre, context, label = sample(rng)
            feed = {model.centre: centre, model.context: context, model.label: label}
            _, loss = session.run([model.train_op, model.loss], feed_dict=feed)
            norm = model.mean_norm(session)
            if step % 20 == 19:
                print(step + 1, f"{loss:.4f} {norm:.4f}", len(session.graph.get_operations()))


if __name__ == "__main__":
    main()
