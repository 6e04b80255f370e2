"""A loop around ``train_on_batch`` and ``test_on_batch``, and a data set of its own that shuffles."""
# backends: torch tensorflow jax

import keras
import numpy as np


class Batches(keras.utils.PyDataset):
    def __init__(self, x, y):
        super().__init__()
        self.x, self.y, self.order = x, y, np.arange(len(x))

    def __len__(self):
        return 6

    def __getitem__(self, i):
        rows = self.order[16 * i : 16 * i + 16]
        return self.x[rows], self.y[rows]

    def on_epoch_end(self):
        np.random.shuffle(self.order)


keras.utils.set_random_seed(0)
x = np.random.randn(96, 12, 3).astype("float32")
y = x.sum((1, 2), keepdims=False)[:, None]
model = keras.Sequential([keras.Input((12, 3)), keras.layers.LSTM(8), keras.layers.Dense(1)])
model.compile("rmsprop", "mse", metrics=["mae"])
for step in range(24):
    logs = model.train_on_batch(x[step % 6 :: 6], y[step % 6 :: 6], return_dict=True)
print({name: repr(float(value)) for name, value in logs.items()}, model.test_on_batch(x, y))
history = model.fit(Batches(x, y), epochs=3, verbose=0)
print(history.history["loss"])
