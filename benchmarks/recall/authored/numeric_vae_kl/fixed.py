"""A variational autoencoder whose encoder gives a mean and a logarithmic variance.

Follows the reports of `kl_loss: nan` or `inf` with the variational autoencoder of the Keras examples on other data.
"""

import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers


def make_encoder(latent_dim):
    inputs = keras.Input(shape=(28, 28, 1))
    x = layers.Conv2D(32, 3, activation="relu", strides=2, padding="same")(inputs)
    x = layers.Flatten()(x)
    x = layers.Dense(16, activation="relu")(x)
    z_mean = layers.Dense(latent_dim, name="z_mean")(x)
    z_log_var = layers.Dense(latent_dim, name="z_log_var")(x)
    return keras.Model(inputs, [z_mean, z_log_var], name="encoder")


class KLTerm(keras.Model):
    def __init__(self, latent_dim=2, **kwargs):
        super().__init__(**kwargs)
        self.encoder = make_encoder(latent_dim)

    def call(self, images):
        z_mean, z_log_var = self.encoder(images)
        z_log_var = tf.clip_by_value(z_log_var, -20.0, 20.0)
        kl = -0.5 * (1 + z_log_var - tf.square(z_mean) - tf.exp(z_log_var))
        return tf.reduce_mean(tf.reduce_sum(kl, axis=1))


if __name__ == "__main__":
    model = KLTerm()
    print(model(tf.random.uniform((4, 28, 28, 1))))
