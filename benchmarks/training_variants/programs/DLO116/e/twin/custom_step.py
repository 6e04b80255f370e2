import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
import numpy as np
import tensorflow as tf
from tensorflow import keras


class CustomModel(keras.Model):
    def __init__(self, *args, **kwargs):
        super().__init__(*args, **kwargs)
        self.loss_tracker = keras.metrics.Mean(name="loss")
        self.mae_metric = keras.metrics.MeanAbsoluteError(name="mae")

    def train_step(self, data):
        x, y = data
        with tf.GradientTape() as tape:
            y_pred = self(x, training=True)
            loss = tf.reduce_mean(tf.square(y - y_pred))
        trainable_vars = self.trainable_variables
        gradients = tape.gradient(loss, trainable_vars)
        self.optimizer.apply_gradients(zip(gradients, trainable_vars))
        self.loss_tracker.update_state(loss)
        self.mae_metric.update_state(y, y_pred)
        return {"loss": self.loss_tracker.result(), "mae": self.mae_metric.result()}

    @property
    def metrics(self):
        return [self.loss_tracker, self.mae_metric]


keras.utils.set_random_seed(9)
inputs = keras.Input(shape=(32,))
h = keras.layers.Dense(32, activation="relu")(inputs)
h = keras.layers.BatchNormalization()(h)
h = keras.layers.Dropout(0.3)(h)
outputs = keras.layers.Dense(1)(h)
model = CustomModel(inputs, outputs)
model.compile(optimizer="adam")

x = np.random.random((256, 32)).astype("float32")
y = x.sum(axis=1, keepdims=True) / 10
hist = model.fit(x, y, epochs=3, verbose=0)
print("mae", [round(float(v), 4) for v in hist.history["mae"]])
print("moving mean", round(float(np.abs(model.layers[2].moving_mean.numpy()).max()), 4))
