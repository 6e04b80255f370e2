"""Keras training with callbacks."""
import keras
import numpy as np
from keras import layers
from keras.callbacks import EarlyStopping, TerminateOnNaN


def make_model():
    model = keras.Sequential([keras.Input((8,)), layers.Dense(32, activation="relu"), layers.Dense(1)])
    model.compile(optimizer="adam", loss="mse")
    return model


def make_callbacks(patience):
    stopper = EarlyStopping(monitor="val_loss", patience=patience, restore_best_weights=True)
    return [stopper, TerminateOnNaN()]


def main():
    keras.utils.set_random_seed(0)
    x = np.random.normal(size=(200, 8)).astype("float32")
    y = x.sum(axis=1, keepdims=True)
    model = make_model()
    history = model.fit(x, y, validation_split=0.2, epochs=4, batch_size=32, callbacks=make_callbacks(2), verbose=0)
    print(history.history["val_loss"][-1])


if __name__ == "__main__":
    main()
