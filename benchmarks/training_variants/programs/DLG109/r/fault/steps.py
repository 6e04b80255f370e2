"""A training step with noise on its inputs."""
import numpy as np
import tensorflow as tf


class NoisyStep:
    def __init__(self, model, optimizer, scale):
        self.model, self.optimizer, self.scale = model, optimizer, scale

    @tf.function
    def __call__(self, x, y):
        noise = np.random.normal(0.0, self.scale, size=x.shape).astype("float32")
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x + noise, training=True) - y))
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables))
        return loss
