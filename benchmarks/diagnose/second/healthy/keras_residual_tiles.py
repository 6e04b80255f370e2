"""Sort floor tiles by their pattern with a small residual network, flips in the model and a cosine schedule."""

import argparse

import keras
import numpy as np
from keras import layers

KINDS = ("cross", "ring", "stripes", "dots", "plain")
SIZE = 16


def tile(kind, rng):
    rows, columns = np.mgrid[:SIZE, :SIZE] - SIZE // 2
    moved_rows, moved_columns = rows + rng.integers(-2, 3), columns + rng.integers(-2, 3)
    if kind == "cross":
        drawn = (abs(moved_rows) < 2) | (abs(moved_columns) < 2)
    elif kind == "ring":
        distance = np.hypot(moved_rows, moved_columns)
        drawn = (distance > 4) & (distance < 7)
    elif kind == "stripes":
        drawn = (rows + rng.choice([-1, 1]) * columns + rng.integers(0, 5)) % 5 < 2
    elif kind == "dots":
        drawn = (moved_rows % 6 < 2) & (moved_columns % 6 < 2)
    else:
        drawn = np.zeros((SIZE, SIZE), dtype=bool)
    colour = rng.uniform(60, 200, size=3)
    ink = colour + rng.choice([-1, 1]) * rng.uniform(35, 60)
    picture = np.where(drawn[..., None], ink, colour) + rng.normal(scale=15, size=(SIZE, SIZE, 3))
    return np.clip(picture, 0, 255).astype("uint8")


def tiles(count, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, len(KINDS), size=count)
    return np.stack([tile(KINDS[label], rng) for label in labels]), labels


def residual(x, filters, stride):
    shortcut = x
    x = layers.Conv2D(filters, 3, strides=stride, padding="same", use_bias=False)(x)
    x = layers.BatchNormalization(momentum=0.9)(x)
    x = layers.ReLU()(x)
    x = layers.Conv2D(filters, 3, padding="same", use_bias=False)(x)
    x = layers.BatchNormalization(momentum=0.9)(x)
    if stride > 1:
        shortcut = layers.Conv2D(filters, 1, strides=stride, use_bias=False)(shortcut)
        shortcut = layers.BatchNormalization(momentum=0.9)(shortcut)
    return layers.ReLU()(x + shortcut)


def build(width):
    pictures = keras.Input((SIZE, SIZE, 3))
    x = layers.RandomFlip("horizontal_and_vertical")(pictures)
    x = layers.Rescaling(1 / 127.5, offset=-1)(x)
    x = layers.Conv2D(width, 3, padding="same")(x)
    x = residual(x, width, stride=2)
    x = residual(x, 2 * width, stride=2)
    x = layers.GlobalAveragePooling2D()(x)
    return keras.Model(pictures, layers.Dense(len(KINDS))(x))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=5)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--width", type=int, default=12)
    parser.add_argument("--lr", type=float, default=4e-3)
    args = parser.parse_args()
    keras.utils.set_random_seed(args.seed)
    train, valid = tiles(1000, args.seed), tiles(300, args.seed + 1000)
    steps = args.epochs * -(-len(train[1]) // args.batch_size)
    schedule = keras.optimizers.schedules.CosineDecay(
        1e-3, steps - steps // 10, warmup_target=args.lr, warmup_steps=steps // 10
    )
    model = build(args.width)
    model.compile(
        optimizer=keras.optimizers.AdamW(schedule, weight_decay=1e-4),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(*train, batch_size=args.batch_size, epochs=args.epochs, validation_data=valid, verbose=2)
    names = np.array(KINDS)
    predicted = model.predict(valid[0], batch_size=150, verbose=0).argmax(axis=1)
    for label, name in enumerate(names):
        rows = valid[1] == label
        print(f"{name}: recall {np.mean(predicted[rows] == label):.3f}")
    print(f"valid accuracy {np.mean(predicted == valid[1]):.3f}")


if __name__ == "__main__":
    main()
