"""After the Keras example "Variational autoencoder": a training step of its own with two trackers, on the torch backend."""

import sys

import keras
import numpy as np
import torch
from keras import layers, ops

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
random = np.random.default_rng(seed)
# Bars of random height in images of 8 x 8.
heights = random.integers(1, 8, (1200, 2))
data = (np.arange(8)[None, :, None] < np.repeat(heights, 4, axis=1)[:, None, :]).astype("float32")[..., None]


class Sampling(layers.Layer):
    def call(self, inputs):
        z_mean, z_log_var = inputs
        return z_mean + ops.exp(0.5 * z_log_var) * keras.random.normal(ops.shape(z_mean))


encoder_inputs = keras.Input(shape=(8, 8, 1))
x = layers.Conv2D(16, 3, activation="relu", strides=2, padding="same")(encoder_inputs)
x = layers.Dense(16, activation="relu")(layers.Flatten()(x))
z_mean, z_log_var = layers.Dense(2, name="z_mean")(x), layers.Dense(2, name="z_log_var")(x)
encoder = keras.Model(encoder_inputs, [z_mean, z_log_var, Sampling()([z_mean, z_log_var])], name="encoder")
latent_inputs = keras.Input(shape=(2,))
x = layers.Reshape((4, 4, 8))(layers.Dense(4 * 4 * 8, activation="relu")(latent_inputs))
x = layers.Conv2DTranspose(16, 3, activation="relu", strides=2, padding="same")(x)
decoder_outputs = layers.Conv2DTranspose(1, 3, activation="sigmoid", padding="same")(x)
decoder = keras.Model(latent_inputs, decoder_outputs, name="decoder")


class VAE(keras.Model):
    def __init__(self, encoder, decoder, **kwargs):
        super().__init__(**kwargs)
        self.encoder, self.decoder = encoder, decoder
        self.total_loss_tracker = keras.metrics.Mean(name="loss")
        self.kl_loss_tracker = keras.metrics.Mean(name="kl_loss")
        self.built = True

    @property
    def metrics(self):
        return [self.total_loss_tracker, self.kl_loss_tracker]

    def train_step(self, data):
        self.zero_grad()
        z_mean, z_log_var, z = self.encoder(data)
        restored = keras.losses.binary_crossentropy(data, self.decoder(z))
        kl_loss = -0.5 * ops.mean(ops.sum(1 + z_log_var - ops.square(z_mean) - ops.exp(z_log_var), axis=1))
        total_loss = ops.mean(ops.sum(restored, axis=(1, 2))) + kl_loss
        total_loss.backward()
        weights = self.trainable_weights
        with torch.no_grad():
            self.optimizer.apply([v.value.grad for v in weights], weights)
        self.total_loss_tracker.update_state(total_loss)
        self.kl_loss_tracker.update_state(kl_loss)
        return {"loss": self.total_loss_tracker.result(), "kl_loss": self.kl_loss_tracker.result()}


vae = VAE(encoder, decoder)
vae.compile(optimizer=keras.optimizers.Adam(5e-3))
history = vae.fit(data, epochs=6, batch_size=32, verbose=2)
assert history.history["loss"][-1] < 0.6 * history.history["loss"][0]
