"""A ``train_step`` of its own for TensorFlow, with ``jit_compile`` left to Keras, over a ``tf.data`` pipeline."""
# backends: tensorflow

import keras
import tensorflow as tf


class Own(keras.Model):
    def __init__(self):
        super().__init__()
        self.first, self.second = keras.layers.Dense(16, "relu"), keras.layers.Dense(1)

    def call(self, x):
        return self.second(self.first(x))

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            loss = self.compute_loss(y=y, y_pred=self(x, training=True))
        gradients = tape.gradient(loss, self.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.trainable_variables))
        return {"loss": loss, "norm": tf.linalg.global_norm(gradients)}


keras.utils.set_random_seed(0)
x = tf.random.normal((96, 4), seed=1)
data = tf.data.Dataset.from_tensor_slices((x, x[:, :1] * 3)).repeat(2).shuffle(50, seed=2).batch(16).prefetch(1)
model = Own()
model.compile(optimizer="adam", loss="mse")
history = model.fit(data, epochs=3, verbose=0, steps_per_epoch=4)
print({name: [repr(float(v)) for v in values] for name, values in history.history.items()})
