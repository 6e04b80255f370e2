"""Direction of stripes with a small convolutional network and flips that keep the class."""

import sys

import keras
import numpy as np
from keras import layers


def stripes(count, rng):
    labels = rng.integers(0, 3, count)
    ys, xs = np.mgrid[:16, :16]
    phase = rng.uniform(0, 6.28, size=(count, 1, 1))
    waves = np.stack([np.sin(xs + phase), np.sin(ys + phase), np.sin(np.hypot(ys - 8, xs - 8) + phase)], axis=1)
    images = waves[np.arange(count), labels] + rng.normal(scale=0.8, size=(count, 16, 16))
    return images[..., None].astype("float32"), labels


def main(seed):
    keras.utils.set_random_seed(seed)
    rng = np.random.default_rng(seed)
    train, valid = stripes(900, rng), stripes(300, rng)
    model = keras.Sequential(
        [
            keras.Input((16, 16, 1)),
            layers.RandomFlip("horizontal_and_vertical"),
            layers.Conv2D(12, 3, padding="same", use_bias=False),
            layers.BatchNormalization(),
            layers.ReLU(),
            layers.MaxPooling2D(),
            layers.Conv2D(24, 3, activation="relu"),
            layers.GlobalAveragePooling2D(),
            layers.Dense(3, activation="softmax"),
        ]
    )
    model.compile(optimizer=keras.optimizers.Adam(3e-3), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    history = model.fit(*train, batch_size=30, epochs=6, validation_data=valid, verbose=0).history
    print("validation accuracy", [round(value, 3) for value in history["val_accuracy"]])


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
