"""Search for the width of a Keras network."""
import keras
import numpy as np


def build(width, rate):
    model = keras.Sequential([keras.Input((4,)), keras.layers.Dense(width, activation="relu"), keras.layers.Dense(1)])
    model.compile(optimizer=keras.optimizers.Adam(rate), loss="mse")
    return model


def search(x, y, widths, rates):
    results = {}
    for width in widths:
        for rate in rates:
            model = build(width, rate)
            history = model.fit(x, y, epochs=1, batch_size=32, verbose=0)
            results[width, rate] = history.history["loss"][-1]
    return min(results, key=results.get)


def main():
    keras.utils.set_random_seed(0)
    x = np.random.normal(size=(64, 4)).astype("float32")
    print(search(x, x.sum(axis=1), widths=(4, 8), rates=(1e-3, 1e-2)))


if __name__ == "__main__":
    main()
