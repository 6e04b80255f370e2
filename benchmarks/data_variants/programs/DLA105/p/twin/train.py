"""Keras convolutional network with options by name."""
import argparse

import keras
import numpy as np


def stripes(n, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    base = np.sin(np.arange(10))
    x = np.where(y[:, None, None] == 1, base[None, :, None], base[None, None, :]) + rng.normal(0, 0.3, (n, 10, 10))
    return x[..., None].astype("float32"), keras.utils.to_categorical(y, 2)


def network(loss):
    model = keras.Sequential(
        [
            keras.Input((10, 10, 1)),
            keras.layers.Conv2D(8, 3, activation="relu"),
            keras.layers.GlobalMaxPooling2D(),
            keras.layers.Dense(2, activation="softmax"),
        ]
    )
    model.compile(keras.optimizers.Adam(learning_rate=5e-3, beta_2=0.99), loss=loss, metrics=["accuracy"])
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--loss", default="categorical_crossentropy")
    args = parser.parse_args()
    keras.utils.set_random_seed(8)
    model = network(args.loss)
    model.fit(*stripes(400, 0), batch_size=40, epochs=3, validation_data=stripes(100, 1), verbose=0)
    print("test accuracy", round(model.evaluate(*stripes(200, 2), verbose=0)[1], 3))


if __name__ == "__main__":
    main()
