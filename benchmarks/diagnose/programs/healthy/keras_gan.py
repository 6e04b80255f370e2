"""After the Keras guide "Customizing fit with PyTorch", its generative adversarial network: two optimisers in one step."""

import sys

import keras
import numpy as np
import torch
from keras import layers

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
random = np.random.default_rng(seed)
angle = random.random(1600) * 2 * np.pi
real = (np.stack([np.cos(angle), np.sin(angle)], 1) + 0.05 * random.standard_normal((1600, 2))).astype("float32")


class GAN(keras.Model):
    def __init__(self, discriminator, generator, latent_dim):
        super().__init__()
        self.discriminator, self.generator, self.latent_dim = discriminator, generator, latent_dim
        self.d_loss_tracker = keras.metrics.Mean(name="d_loss")
        self.g_loss_tracker = keras.metrics.Mean(name="g_loss")
        self.built = True

    def compile(self, d_optimizer, g_optimizer, loss_fn):
        super().compile()
        self.d_optimizer, self.g_optimizer, self.loss_fn = d_optimizer, g_optimizer, loss_fn

    @property
    def metrics(self):
        return [self.d_loss_tracker, self.g_loss_tracker]

    def improve(self, network, optimizer, loss):
        self.zero_grad()
        loss.backward()
        weights = network.trainable_weights
        with torch.no_grad():
            optimizer.apply([v.value.grad for v in weights], weights)

    def train_step(self, real_points):
        count = real_points.shape[0]
        made = self.generator(keras.random.normal((count, self.latent_dim)))
        combined = keras.ops.concatenate([made, real_points], axis=0)
        labels = keras.ops.concatenate([keras.ops.ones((count, 1)), keras.ops.zeros((count, 1))], axis=0)
        d_loss = self.loss_fn(labels, self.discriminator(combined))
        self.improve(self.discriminator, self.d_optimizer, d_loss)

        made = self.generator(keras.random.normal((count, self.latent_dim)))
        g_loss = self.loss_fn(keras.ops.zeros((count, 1)), self.discriminator(made))
        self.improve(self.generator, self.g_optimizer, g_loss)
        self.d_loss_tracker.update_state(d_loss)
        self.g_loss_tracker.update_state(g_loss)
        return {"d_loss": self.d_loss_tracker.result(), "g_loss": self.g_loss_tracker.result()}


discriminator = keras.Sequential(
    [layers.Input((2,)), layers.Dense(32), layers.LeakyReLU(0.2), layers.Dense(32), layers.LeakyReLU(0.2), layers.Dense(1)]
)
generator = keras.Sequential(
    [layers.Input((4,)), layers.Dense(32), layers.LeakyReLU(0.2), layers.Dense(32), layers.LeakyReLU(0.2), layers.Dense(2)]
)
gan = GAN(discriminator, generator, 4)
gan.compile(
    d_optimizer=keras.optimizers.Adam(3e-3, beta_1=0.5),
    g_optimizer=keras.optimizers.Adam(3e-3, beta_1=0.5),
    loss_fn=keras.losses.BinaryCrossentropy(from_logits=True),
)
gan.fit(real, batch_size=64, epochs=12, verbose=2)
made = np.asarray(keras.ops.convert_to_numpy(generator.predict(random.standard_normal((500, 4)).astype("float32"), verbose=0)))
radius = np.hypot(*made.T)
print(f"radius {radius.mean():.2f} +- {radius.std():.2f}")
assert 0.7 < radius.mean() < 1.3
