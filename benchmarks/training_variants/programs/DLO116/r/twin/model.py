"""A Keras model with its own training step."""
import keras
import tensorflow as tf
from keras import layers


class Denoiser(keras.Model):
    def __init__(self, width):
        super().__init__()
        self.encode = layers.Dense(32, activation="relu")
        self.drop = layers.Dropout(0.3)
        self.decode = layers.Dense(width)
        self.loss_tracker = keras.metrics.Mean(name="loss")

    def call(self, x, training=False):
        return self.decode(self.drop(self.encode(x), training=training))

    @property
    def metrics(self):
        return [self.loss_tracker]

    def train_step(self, data):
        noisy, clean = data
        with tf.GradientTape() as tape:
            restored = self(noisy, training=True)
            loss = tf.reduce_mean(tf.square(restored - clean))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        self.loss_tracker.update_state(loss)
        return {"loss": self.loss_tracker.result()}
