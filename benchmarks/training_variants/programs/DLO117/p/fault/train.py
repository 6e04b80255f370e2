"""WGAN-like critic with a Keras custom loop: critic and generator share one tape."""
import dataclasses

import keras
import tensorflow as tf


@dataclasses.dataclass
class Settings:
    latent: int = 4
    batch: int = 64
    steps: int = 30
    lr: float = 1e-4
    seed: int = 8


def mlp(inputs, outputs, name):
    return keras.Sequential(
        [keras.Input((inputs,)), keras.layers.Dense(32, activation="tanh"), keras.layers.Dense(outputs)], name=name
    )


class Adversaries:
    def __init__(self, cfg: Settings):
        self.cfg = cfg
        self.generator = mlp(cfg.latent, 2, "generator")
        self.critic = mlp(2, 1, "critic")
        self.g_opt = keras.optimizers.RMSprop(learning_rate=cfg.lr)
        self.c_opt = keras.optimizers.RMSprop(learning_rate=cfg.lr)

    def step(self, real):
        noise = tf.random.normal((self.cfg.batch, self.cfg.latent))
        with tf.GradientTape() as tape:
            fake = self.generator(noise, training=True)
            real_score = self.critic(real, training=True)
            fake_score = self.critic(fake, training=True)
            c_loss = tf.reduce_mean(fake_score) - tf.reduce_mean(real_score)
            g_loss = -tf.reduce_mean(fake_score)
        c_vars, g_vars = self.critic.trainable_variables, self.generator.trainable_variables
        c_grads = tape.gradient(c_loss, c_vars)
        g_grads = tape.gradient(g_loss, g_vars)
        self.c_opt.apply_gradients(zip(c_grads, c_vars))
        for v in c_vars:
            v.assign(tf.clip_by_value(v, -0.1, 0.1))
        self.g_opt.apply_gradients(zip(g_grads, g_vars))
        return c_loss, g_loss


def main():
    cfg = Settings()
    keras.utils.set_random_seed(cfg.seed)
    pair = Adversaries(cfg)
    for step in range(cfg.steps):
        angle = tf.random.uniform((cfg.batch,)) * 6.2832
        real = tf.stack([tf.cos(angle), tf.sin(angle)], axis=1)
        c_loss, g_loss = pair.step(real)
        if step % 10 == 9:
            tf.print("step", step + 1, "critic", c_loss, "generator", g_loss)


if __name__ == "__main__":
    main()
