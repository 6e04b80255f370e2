import keras
import numpy as np
from keras import layers

from callbacks import make_callbacks


def make_model():
    model = keras.Sequential([keras.Input((8,)), layers.Dense(32, activation="relu"), layers.Dense(3, activation="softmax")])
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def main():
    keras.utils.set_random_seed(0)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(500, 8)).astype("float32")
    y = x[:, :3].argmax(axis=1)
    model = make_model()
    model.fit(
        x[:400],
        y[:400],
        epochs=12,
        batch_size=25,
        validation_data=(x[400:], y[400:]),
        callbacks=make_callbacks("checkpoints"),
        verbose=0,
    )
    best = keras.models.load_model("checkpoints/best.keras")
    print("accuracy of the kept model", round(best.evaluate(x[400:], y[400:], verbose=0)[1], 3))


if __name__ == "__main__":
    main()
