"""A decoder that compares pictures after gamma correction.

Follows the reports of NaN gradients of perceptual losses that raise pixels to a power below one.
"""

import keras
from keras import layers, ops


def decoder(latent=8):
    inputs = keras.Input((latent,))
    x = layers.Dense(7 * 7 * 16, activation="relu")(inputs)
    x = layers.Reshape((7, 7, 16))(x)
    x = layers.Conv2DTranspose(8, 3, strides=2, padding="same", activation="relu")(x)
    return keras.Model(inputs, layers.Conv2D(1, 3, padding="same", activation="sigmoid")(x))


def to_display(linear):
    return ops.power(linear, 1.0 / 2.2)


def display_loss(model, codes, target):
    return ops.mean(ops.square(to_display(model(codes)) - target))


if __name__ == "__main__":
    print(display_loss(decoder(), keras.random.normal((2, 8)), ops.zeros((2, 14, 14, 1))))
