"""A schedule, EMA weights, a learning-rate scheduler, the bar on standard output, and TensorBoard where there is one."""
# backends: torch tensorflow jax

import keras
import numpy as np

keras.utils.set_random_seed(1)
x = np.random.rand(128, 8, 8, 1).astype("float32")
y = (x.mean((1, 2, 3)) * 30).astype("int32") % 3
model = keras.Sequential(
    [keras.Input((8, 8, 1)), keras.layers.Conv2D(4, 3), keras.layers.BatchNormalization(), keras.layers.ReLU()]
)
model.add(keras.layers.GlobalAveragePooling2D())
model.add(keras.layers.Dense(3, "softmax"))
rate = keras.optimizers.schedules.CosineDecay(0.05, 40)
model.compile(keras.optimizers.SGD(rate, momentum=0.9, use_ema=True, ema_momentum=0.9), "sparse_categorical_crossentropy")
swap = keras.callbacks.SwapEMAWeights(swap_on_epoch=True)
model.fit(x, y, batch_size=16, epochs=3, verbose=0, callbacks=[swap])
model.summary()
model.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
scheduler = keras.callbacks.LearningRateScheduler(lambda epoch, lr: lr * 0.5)
history = model.fit(x, y, batch_size=16, epochs=3, verbose=0, callbacks=[scheduler, keras.callbacks.ProgbarLogger()])
print(history.history["loss"], float(model.optimizer.learning_rate))
