"""Train with input noise under tf.function; the noise is meant to differ from step to step."""
import keras
import numpy as np
import tensorflow as tf

keras.utils.set_random_seed(30)


def teacher_data(n=512):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(n, 6)).astype("float32")
    return x, np.sin(x.sum(axis=1, keepdims=True)).astype("float32")


class NoisyTrainer:
    def __init__(self, sigma):
        self.sigma = sigma
        self.model = keras.Sequential(
            [keras.Input((6,)), keras.layers.Dense(32, activation="tanh"), keras.layers.Dense(1)]
        )
        self.optimizer = keras.optimizers.Adam(learning_rate=2e-3, epsilon=1e-6)
        self.last_noise = tf.Variable(tf.zeros((64, 6)), trainable=False)

    @tf.function
    def step(self, x, y):
        noise = tf.random.normal((64, 6), stddev=self.sigma)
        self.last_noise.assign(noise)
        with tf.GradientTape() as tape:
            error = self.model(x + noise, training=True) - y
            loss = tf.reduce_mean(tf.square(error))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        return loss


def main():
    x, y = teacher_data()
    trainer = NoisyTrainer(sigma=0.1)
    data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(512, seed=2).batch(64, drop_remainder=True)
    seen = []
    for _ in range(2):
        for xb, yb in data.prefetch(tf.data.AUTOTUNE):
            loss = trainer.step(xb, yb)
            seen.append(trainer.last_noise.numpy()[0, 0])
    print(f"loss {float(loss):.4f}, distinct noise values in {len(seen)} steps: {len(set(seen))}")


if __name__ == "__main__":
    main()
