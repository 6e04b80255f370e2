import tensorflow as tf
from tensorflow.keras import layers


def make_generator(noise_dim):
    return tf.keras.Sequential(
        [
            tf.keras.Input((noise_dim,)),
            layers.Dense(4 * 4 * 8, activation="relu"),
            layers.Reshape((4, 4, 8)),
            layers.Conv2DTranspose(4, 3, strides=2, padding="same", activation="relu"),
            layers.Conv2D(1, 3, padding="same", activation="sigmoid"),
        ]
    )


def make_discriminator():
    return tf.keras.Sequential(
        [
            tf.keras.Input((8, 8, 1)),
            layers.Conv2D(8, 3, strides=2, padding="same"),
            layers.LeakyReLU(0.2),
            layers.Flatten(),
            layers.Dense(1),
        ]
    )
