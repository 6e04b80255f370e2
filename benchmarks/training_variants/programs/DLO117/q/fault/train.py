"""Fit a latent-factor model by hand with a GradientTape; the step helper returns the loss."""
import tensorflow as tf


class Factors(tf.Module):
    def __init__(self, users, items, rank):
        super().__init__()
        init = tf.random_normal_initializer(stddev=0.3, seed=1)
        self.u = tf.Variable(init((users, rank)), name="u")
        self.v = tf.Variable(init((items, rank)), name="v")
        self.mean = tf.Variable(0.0, name="mean")

    def __call__(self, pairs):
        return self.mean + tf.reduce_sum(tf.gather(self.u, pairs[:, 0]) * tf.gather(self.v, pairs[:, 1]), axis=1)


class Trainer:
    def __init__(self, model, rate):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(learning_rate=rate, epsilon=1e-6)

    def step(self, pairs, rating):
        with tf.GradientTape() as tape:
            error = self.model(pairs) - rating
            loss = tf.reduce_mean(tf.square(error))
        variables = self.model.trainable_variables
        gradients = tape.gradient(loss, variables)
        gradients, _ = tf.clip_by_global_norm(gradients, 1.0)
        return loss


def ratings(n, seed):
    gen = tf.random.Generator.from_seed(seed)
    pairs = tf.stack([gen.uniform((n,), 0, 20, tf.int32), gen.uniform((n,), 0, 30, tf.int32)], axis=1)
    truth = tf.sin(tf.cast(pairs[:, 0], tf.float32)) * tf.cos(tf.cast(pairs[:, 1], tf.float32))
    return pairs, 3.0 + truth


def main(epochs=12):
    tf.random.set_seed(2)
    pairs, rating = ratings(1000, seed=3)
    dataset = tf.data.Dataset.from_tensor_slices((pairs, rating)).shuffle(1000, seed=4).batch(50).prefetch(2)
    trainer = Trainer(Factors(20, 30, 4), rate=0.01)
    for epoch in range(epochs):
        losses = [trainer.step(p, r) for p, r in dataset]
        print(f"epoch {epoch} loss {float(tf.reduce_mean(losses)):.4f}")


if __name__ == "__main__":
    main()
