"""The value function of a generative adversarial network, as the paper writes it.

Follows the reports of `d_loss: nan` in networks that take logarithms of the discriminator's sigmoid.
"""

import tensorflow as tf
from tensorflow.keras import Sequential, layers

discriminator = Sequential([
    layers.Input((784,)),
    layers.Dense(128),
    layers.LeakyReLU(0.2),
    layers.Dense(1, activation="sigmoid"),
])
generator = Sequential([
    layers.Input((64,)),
    layers.Dense(128, activation="relu"),
    layers.Dense(784, activation="tanh"),
])
d_optimizer = tf.keras.optimizers.Adam(2e-4)


def discriminator_step(real_images):
    noise = tf.random.normal((tf.shape(real_images)[0], 64))
    with tf.GradientTape() as tape:
        real = discriminator(real_images, training=True)
        fake = discriminator(generator(noise), training=True)
        real_term = tf.reduce_mean(tf.math.log(real + 1e-8))
        fake_term = tf.reduce_mean(tf.math.log(tf.maximum(1.0 - fake, 1e-7)))
        loss = -(real_term + fake_term)
    gradients = tape.gradient(loss, discriminator.trainable_variables)
    d_optimizer.apply_gradients(zip(gradients, discriminator.trainable_variables))
    return loss


if __name__ == "__main__":
    for _ in range(10):
        print(discriminator_step(tf.random.uniform((16, 784))))
