import math

import numpy as np
from tensorflow import keras
from tensorflow.keras import layers

keras.utils.set_random_seed(77)
x = np.random.rand(200, 16, 16, 1).astype("float32")
y = (x.mean(axis=(1, 2, 3)) > 0.5).astype("int32")


def step_decay(epoch):
    initial_lrate, drop, epochs_drop = 0.01, 0.1, 2.0
    return initial_lrate * math.pow(drop, math.floor((1 + epoch) / epochs_drop))


model = keras.Sequential([
    layers.Input((16, 16, 1)),
    layers.Conv2D(8, 3, activation="relu"),
    layers.MaxPooling2D(),
    layers.Flatten(),
    layers.Dense(2, activation="softmax"),
])
model.compile(
    optimizer=keras.optimizers.SGD(learning_rate=0.01, momentum=0.9),
    loss="sparse_categorical_crossentropy",
    metrics=["accuracy"],
)

early = keras.callbacks.EarlyStopping(monitor="val_loss", patience=10)
lrate = keras.callbacks.LearningRateScheduler(step_decay)
callbacks_list = [early]

history = model.fit(x, y, validation_split=0.2, epochs=6, batch_size=32, callbacks=callbacks_list, verbose=0)
print([round(v, 4) for v in history.history["loss"]])
