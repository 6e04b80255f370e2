import keras
import numpy as np
from keras import layers, regularizers

SETTINGS = {
    "width": 48,
    "rate": 2e-3,
    "penalty": 1e-4,
}


def dense(units, settings, **kwargs):
    return layers.Dense(units, kernel_regularizer=regularizers.l2(settings["penalty"]), **kwargs)


def build(settings):
    model = keras.Sequential(
        [
            keras.Input((20,)),
            dense(settings["width"], settings, activation="relu"),
            dense(settings["width"], settings, activation="relu"),
            layers.Dense(4, activation="softmax"),
        ]
    )
    model.compile(
        optimizer=keras.optimizers.Adam(settings["rate"]),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    return model


def main():
    keras.utils.set_random_seed(0)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(600, 20)).astype("float32")
    y = x[:, :4].argmax(axis=1)
    model = build(SETTINGS)
    model.fit(x[:500], y[:500], batch_size=50, epochs=8, verbose=0, validation_data=(x[500:], y[500:]))
    _, accuracy = model.evaluate(x[500:], y[500:], verbose=0)
    print(f"accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
