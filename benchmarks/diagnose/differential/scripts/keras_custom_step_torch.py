"""A ``train_step`` of its own for torch, in a model by inheritance, with a metric that it keeps."""
# backends: torch

import keras
import numpy as np
import torch


class Own(keras.Model):
    def __init__(self):
        super().__init__()
        self.first, self.second = keras.layers.Dense(16, "gelu"), keras.layers.Dense(1)
        self.tracker = keras.metrics.Mean(name="loss")

    def call(self, x, training=None):
        return self.second(self.first(x))

    def train_step(self, data):
        x, y = data
        self.zero_grad()
        loss = keras.losses.mean_squared_error(y, self(x, training=True)).mean()
        loss.backward()
        trainable = list(self.trainable_weights)
        with torch.no_grad():
            self.optimizer.apply([v.value.grad for v in trainable], trainable)
        self.tracker.update_state(loss)
        return {"loss": self.tracker.result()}

    @property
    def metrics(self):
        return [self.tracker]


keras.utils.set_random_seed(0)
x = np.random.randn(96, 4).astype("float32")
model = Own()
model.compile(optimizer=keras.optimizers.Adam(0.01))
history = model.fit(x, x[:, :1] ** 2, batch_size=16, epochs=4, verbose=0)
print(history.history)
