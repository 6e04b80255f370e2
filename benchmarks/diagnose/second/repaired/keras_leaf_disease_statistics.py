"""Recognise leaf diseases in small pictures with a convolutional network in the style of mobile ones."""

import argparse

import keras
import numpy as np
from keras import layers

DISEASES = ("healthy", "rust", "mildew", "mosaic")
SIZE = 20
NORMALISATION = {"momentum": 0.9, "epsilon": 1e-3}


def leaf(disease, rng):
    """A green leaf with brown spots, white patches or yellow stripes."""
    rows, columns = np.mgrid[:SIZE, :SIZE]
    picture = np.empty((SIZE, SIZE, 3))
    picture[:] = rng.uniform([0.15, 0.45, 0.1], [0.3, 0.65, 0.25])
    if disease == "rust":
        for row, column in rng.integers(2, SIZE - 2, size=(rng.integers(4, 9), 2)):
            picture[np.hypot(rows - row, columns - column) < 1.8] = (0.5, 0.3, 0.1)
    elif disease == "mildew":
        row, column = rng.integers(5, SIZE - 5, size=2)
        picture[np.hypot(rows - row, columns - column) < rng.uniform(3.5, 6)] += 0.25
    elif disease == "mosaic":
        stripes = (rows + columns + rng.integers(0, 6)) % 6 < 2
        picture[stripes, :2] += 0.18
    return picture + rng.normal(scale=0.08, size=picture.shape)


def leaves(count, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, len(DISEASES), size=count)
    return np.stack([leaf(DISEASES[label], rng) for label in labels]).astype("float32"), labels


class Separable(layers.Layer):
    """A depthwise and a pointwise convolution, each with normalisation."""

    def __init__(self, filters, stride, **options):
        super().__init__(**options)
        self.steps = [
            layers.DepthwiseConv2D(3, strides=stride, padding="same", use_bias=False),
            layers.BatchNormalization(**NORMALISATION),
            layers.ReLU(),
            layers.Conv2D(filters, 1, use_bias=False),
            layers.BatchNormalization(**NORMALISATION),
            layers.ReLU(),
        ]

    def build(self, shape):
        for step in self.steps:
            step.build(shape)
            shape = step.compute_output_shape(shape)
        self.built = True

    def call(self, x, training=None):
        for step in self.steps:
            x = step(x, training=training) if isinstance(step, layers.BatchNormalization) else step(x)
        return x

    def compute_output_shape(self, shape):
        for step in self.steps:
            shape = step.compute_output_shape(shape)
        return shape


def build(width, dropout):
    inputs = keras.Input((SIZE, SIZE, 3))
    x = layers.Conv2D(width, 3, padding="same", use_bias=False)(inputs)
    x = layers.BatchNormalization(**NORMALISATION)(x)
    x = layers.ReLU()(x)
    for filters, stride in ((2 * width, 2), (4 * width, 2)):
        x = Separable(filters, stride)(x)
    x = layers.GlobalAveragePooling2D()(x)
    x = layers.Dropout(dropout)(x)
    return keras.Model(inputs, layers.Dense(len(DISEASES), activation="softmax")(x))


class Report(keras.callbacks.Callback):
    """Prints the numbers of each epoch and remembers the best validation accuracy."""

    def __init__(self):
        super().__init__()
        self.best = 0.0

    def on_epoch_end(self, epoch, logs=None):
        self.best = max(self.best, logs["val_accuracy"])
        print(
            f"epoch {epoch}: loss {logs['loss']:.4f}, accuracy {logs['accuracy']:.3f}, "
            f"val loss {logs['val_loss']:.4f}, val accuracy {logs['val_accuracy']:.3f}"
        )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--width", type=int, default=8)
    parser.add_argument("--dropout", type=float, default=0.1)
    parser.add_argument("--lr", type=float, default=5e-3)
    args = parser.parse_args()
    keras.utils.set_random_seed(args.seed)
    train, valid = leaves(800, args.seed), leaves(300, args.seed + 321)
    model = build(args.width, args.dropout)
    model.compile(
        optimizer=keras.optimizers.Adam(args.lr),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    report = Report()
    model.fit(
        *train,
        batch_size=args.batch_size,
        epochs=args.epochs,
        validation_data=valid,
        callbacks=[report],
        verbose=0,
    )
    on_train = model.evaluate(*train, batch_size=200, verbose=0)[1]
    print(f"accuracy on the training pictures {on_train:.3f}, best val accuracy {report.best:.3f}")


if __name__ == "__main__":
    main()
