"""``fit`` with the callbacks of Keras that steer and write."""
# backends: torch tensorflow jax

import keras
import numpy as np

keras.utils.set_random_seed(0)
x = np.random.randn(192, 6).astype("float32")
y = (x[:, :1] > 0).astype("float32")
model = keras.Sequential(
    [keras.Input((6,)), keras.layers.Dense(16, "relu"), keras.layers.Dropout(0.1), keras.layers.Dense(1, "sigmoid")]
)
model.compile(keras.optimizers.Adam(0.01), "binary_crossentropy", metrics=["accuracy", keras.metrics.AUC()])


class Own(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        self.last = batch, sorted(logs)

    def on_epoch_end(self, epoch, logs=None):
        print("own", epoch, self.last, sorted(logs))


history = model.fit(
    x,
    y,
    batch_size=16,
    epochs=4,
    validation_split=0.25,
    verbose=0,
    callbacks=[
        Own(),
        keras.callbacks.ModelCheckpoint("kept/{epoch}.weights.h5", save_weights_only=True, save_best_only=True),
        keras.callbacks.EarlyStopping(patience=3, restore_best_weights=True),
        keras.callbacks.ReduceLROnPlateau(patience=1),
        keras.callbacks.CSVLogger("log.csv"),
        keras.callbacks.TerminateOnNaN(),
        keras.callbacks.LambdaCallback(on_train_end=lambda logs: print("end", len(logs))),
        keras.callbacks.BackupAndRestore("backup"),
        keras.callbacks.SwapEMAWeights() if model.optimizer.use_ema else keras.callbacks.History(),
    ],
)
for name, values in sorted(history.history.items()):
    print(name, [repr(float(value)) for value in values])
print(model.evaluate(x, y, verbose=0), model.predict(x[:4], verbose=0).tolist())
model.save("model.keras")
