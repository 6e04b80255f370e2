"""Sort fruit pictures with a convolutional backbone that brings its own preprocessing."""

import argparse

import keras
import numpy as np
from keras import layers

KINDS = 5
IMAGE_MEAN = [0.485, 0.456, 0.406]
IMAGE_VARIANCE = [0.0524, 0.0502, 0.0506]


def photograph(count, seed):
    """8-bit pictures: the kind shows in the colour and in the texture of a patch."""
    rng = np.random.default_rng(seed)
    kinds = rng.integers(0, KINDS, count)
    pictures = rng.integers(60, 200, size=(count, 24, 24, 3)).astype("int32")
    for picture, kind in zip(pictures, kinds, strict=True):
        top, left = rng.integers(0, 12, 2)
        patch = picture[top : top + 12, left : left + 12]
        patch[..., kind % 3] += 60
        if kind >= 3:
            patch[::2] -= 50
    return pictures.clip(0, 255).astype("uint8"), kinds


def conv_block(x, filters):
    x = layers.Conv2D(filters, 3, padding="same")(x)
    x = layers.Activation("swish")(x)
    return layers.MaxPooling2D(2)(x)


def make_backbone(input_shape=(24, 24, 3), width=16):
    """A backbone for images; pixels are scaled and standardised inside."""
    inputs = keras.Input(input_shape)
    x = layers.Rescaling(1.0 / 255.0)(inputs)
    x = layers.Normalization(axis=-1, mean=IMAGE_MEAN, variance=IMAGE_VARIANCE)(x)
    for factor in (1, 2, 2):
        x = conv_block(x, factor * width)
    return keras.Model(inputs, x, name="backbone")


def make_classifier(backbone, rate):
    inputs = keras.Input(backbone.input_shape[1:])
    x = backbone(inputs)
    x = layers.GlobalAveragePooling2D()(x)
    x = layers.Dropout(0.1)(x)
    outputs = layers.Dense(KINDS, activation="softmax")(x)
    model = keras.Model(inputs, outputs)
    model.compile(
        optimizer=keras.optimizers.Adam(rate),
        loss="categorical_crossentropy",
        metrics=["accuracy"],
    )
    return model


def load(count, seed):
    pictures, kinds = photograph(count, seed)
    x = pictures.astype("float32") / 255
    y = keras.utils.to_categorical(kinds, KINDS)
    return x, y


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--rate", type=float, default=2e-3)
    args = parser.parse_args()
    keras.utils.set_random_seed(args.seed)
    x_train, y_train = load(900, 1)
    x_test, y_test = load(300, 2)
    model = make_classifier(make_backbone(), args.rate)
    history = model.fit(
        x_train,
        y_train,
        batch_size=args.batch_size,
        epochs=args.epochs,
        validation_data=(x_test, y_test),
        verbose=0,
    ).history
    for epoch in range(args.epochs):
        print(f"epoch {epoch}: loss {history['loss'][epoch]:.4f}, val accuracy {history['val_accuracy'][epoch]:.3f}")
    print(f"final val accuracy {history['val_accuracy'][-1]:.3f}")


if __name__ == "__main__":
    main()
