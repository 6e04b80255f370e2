import keras
import numpy as np
from keras import layers


def build_model(features):
    inputs = keras.Input((features,))
    x = layers.Dense(32, activation="relu")(inputs)
    x = layers.Dropout(0.1)(x)
    x = layers.Dense(16, activation="relu")(x)
    return keras.Model(inputs, layers.Dense(1)(x))


class Study:
    def __init__(self, x, y):
        self.x, self.y = x, y
        self.model = build_model(x.shape[1])
        self.model.compile(optimizer=keras.optimizers.Adam(0.01), loss="mse", metrics=["mae"])

    @staticmethod
    def schedule(epoch, lr):
        return lr if epoch < 2 else lr * 0.5

    def run(self, epochs):
        stop = keras.callbacks.EarlyStopping(monitor="val_loss", patience=5, restore_best_weights=True)
        callbacks = [stop]
        rate = keras.callbacks.LearningRateScheduler(self.schedule)
        callbacks.append(rate)
        return self.model.fit(
            self.x, self.y, epochs=epochs, batch_size=32, validation_split=0.2, verbose=0, callbacks=callbacks
        )


if __name__ == "__main__":
    keras.utils.set_random_seed(5)
    x = np.random.randn(200, 6).astype("float32")
    y = (x @ np.arange(1, 7) / 5.0).astype("float32")
    study = Study(x, y)
    history = study.run(epochs=5)
    print([round(v, 3) for v in history.history["val_loss"]])
    print("final rate", round(float(study.model.optimizer.learning_rate), 6))
