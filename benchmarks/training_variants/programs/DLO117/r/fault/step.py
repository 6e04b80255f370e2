"""One step for the two parts of an autoencoder with its own optimizers."""
import tensorflow as tf


class Stepper:
    def __init__(self, encoder, decoder, rate):
        self.encoder, self.decoder = encoder, decoder
        self.optimizers = [tf.keras.optimizers.Adam(rate), tf.keras.optimizers.Adam(rate)]

    def __call__(self, x):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.decoder(self.encoder(x, training=True), training=True) - x))
        for part, optimizer in zip((self.encoder, self.decoder), self.optimizers):
            gradients = tape.gradient(loss, part.trainable_variables)
            optimizer.apply_gradients(zip(gradients, part.trainable_variables))
        return loss
