"""tf.function step that records its losses in a list of the trainer."""
import keras
import tensorflow as tf


class RotationTask:
    def __init__(self, seed):
        self.gen = tf.random.Generator.from_seed(seed)

    def batch(self, n):
        angle = self.gen.uniform((n, 1), 0.0, 6.2832)
        point = self.gen.normal((n, 2))
        c, s = tf.cos(angle), tf.sin(angle)
        turned = tf.concat([c * point[:, :1] - s * point[:, 1:], s * point[:, :1] + c * point[:, 1:]], axis=1)
        return tf.concat([point, c, s], axis=1), turned


class Trainer:
    def __init__(self, width, rate):
        self.net = keras.Sequential(
            [
                keras.Input((4,)),
                keras.layers.Dense(width, activation="gelu"),
                keras.layers.Dense(width, activation="gelu"),
                keras.layers.Dense(2),
            ]
        )
        self.optimizer = keras.optimizers.Adam(learning_rate=rate, beta_2=0.98)
        self.losses = []

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.net(x, training=True) - y))
        weights = self.net.trainable_weights
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return loss

    def fit(self, task, steps, batch):
        for _ in range(steps):
            self.losses.append(float(self.step(*task.batch(batch))))


def main():
    keras.utils.set_random_seed(45)
    trainer = Trainer(32, 3e-3)
    trainer.fit(RotationTask(1), steps=80, batch=64)
    print(f"losses recorded: {len(trainer.losses)} of 80")


if __name__ == "__main__":
    main()
