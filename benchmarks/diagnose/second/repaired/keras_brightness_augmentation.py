"""Read seven-segment digits from photographs, with augmentation layers in the model."""

import sys

import keras
import numpy as np
from keras import layers

SEGMENTS = {
    0: "abcdef", 1: "bc", 2: "abged", 3: "abgcd", 4: "fgbc",
    5: "afgcd", 6: "afgecd", 7: "abc", 8: "abcdefg", 9: "abcdfg",
}  # fmt: skip
PLACES = {
    "a": (slice(2, 4), slice(5, 13)),
    "b": (slice(3, 9), slice(11, 13)),
    "c": (slice(9, 15), slice(11, 13)),
    "d": (slice(14, 16), slice(5, 13)),
    "e": (slice(9, 15), slice(5, 7)),
    "f": (slice(3, 9), slice(5, 7)),
    "g": (slice(8, 10), slice(5, 13)),
}


def photographs(count, seed):
    rng = np.random.default_rng(seed)
    digits = rng.integers(0, 10, count)
    images = rng.normal(90, 25, size=(count, 18, 18, 1))
    for image, digit in zip(images, digits, strict=True):
        canvas = np.zeros((18, 18))
        for segment in SEGMENTS[int(digit)]:
            canvas[PLACES[segment]] = 1
        shift = rng.integers(-1, 2, 2)
        image[..., 0] += 90 * np.roll(canvas, shift, axis=(0, 1))
    return images.clip(0, 255).astype("float32"), digits


def augmentation():
    return keras.Sequential(
        [
            layers.RandomTranslation(0.05, 0.05, fill_mode="nearest"),
            layers.RandomBrightness(0.2, value_range=(0, 1)),
        ],
        name="augmentation",
    )


def make_model():
    inputs = keras.Input((18, 18, 1))
    x = layers.Rescaling(1.0 / 255)(inputs)
    x = augmentation()(x)
    x = layers.Conv2D(16, 3, activation="relu")(x)
    x = layers.MaxPooling2D()(x)
    x = layers.Conv2D(32, 3, activation="relu")(x)
    x = layers.Flatten()(x)
    x = layers.Dense(64, activation="relu")(x)
    outputs = layers.Dense(10)(x)
    return keras.Model(inputs, outputs)


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    keras.utils.set_random_seed(seed)
    train, valid = photographs(1200, 1), photographs(300, 2)
    model = make_model()
    model.compile(
        optimizer=keras.optimizers.Adam(1.5e-3),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=[keras.metrics.SparseCategoricalAccuracy(name="accuracy")],
    )
    history = model.fit(*train, batch_size=40, epochs=8, validation_data=valid, verbose=0).history
    for epoch in range(len(history["loss"])):
        values = "  ".join(f"{name} {series[epoch]:.3f}" for name, series in history.items())
        print(f"epoch {epoch}  {values}")
    print(f"final val accuracy {history['val_accuracy'][-1]:.3f}")


if __name__ == "__main__":
    main()
