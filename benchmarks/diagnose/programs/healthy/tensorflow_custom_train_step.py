"""After the Keras guide "Customizing what happens in fit with TensorFlow": train_step with sample weights and compute_loss."""
# backend: tensorflow

import sys

import keras
import numpy as np
import tensorflow as tf

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
random = np.random.default_rng(seed)
x = random.standard_normal((1200, 12)).astype("float32")
y = (np.tanh(x[:, :3].sum(1)) + x[:, 3] * x[:, 4])[:, None].astype("float32")
sample_weight = random.random((1200, 1)).astype("float32")


class CustomModel(keras.Model):
    def train_step(self, data):
        x, y, sample_weight = data
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = self.compute_loss(y=y, y_pred=y_pred, sample_weight=sample_weight)
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply(gradients, self.trainable_variables)
        for metric in self.metrics:
            if metric.name == "loss":
                metric.update_state(loss)
            else:
                metric.update_state(y, y_pred, sample_weight=sample_weight)
        return {m.name: m.result() for m in self.metrics}


inputs = keras.Input(shape=(12,))
h = keras.layers.Dense(48, activation="swish")(inputs)
outputs = keras.layers.Dense(1)(keras.layers.Dense(48, activation="swish")(h))
model = CustomModel(inputs, outputs)
model.compile(optimizer=keras.optimizers.Adam(5e-3), loss="mse", metrics=["mae"])
history = model.fit(x, y, sample_weight=sample_weight, epochs=8, verbose=2)
assert np.mean((model.predict(x, verbose=0) - y) ** 2) < 0.3 * y.var()
