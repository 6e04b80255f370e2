"""Find one object in a picture: its kind and its box, with a network of two heads and settings from a file-like text."""

import argparse
import configparser

import keras
import numpy as np
from keras import layers, ops

KINDS = ("disc", "square", "ring")
SIZE = 20
SETTINGS = """
[model]
width = 8
hidden = 48

[optimizer]
name = sgd
rate = 0.05
momentum = 0.9
clip_norm = 1.0

[loss]
box_weight = 2.0

[training]
epochs = 8
batch_size = 32
"""


def scene(rng):
    """A picture with one object; the box is given by its centre and its half width, as shares of the picture."""
    kind = rng.integers(0, len(KINDS))
    half = rng.uniform(3, 5.5)
    row, column = rng.uniform(half + 1, SIZE - half - 1, size=2)
    rows, columns = np.mgrid[:SIZE, :SIZE]
    if kind == 1:
        shape = np.maximum(abs(rows - row), abs(columns - column)) < half
    else:
        distance = np.hypot(rows - row, columns - column)
        shape = distance < half if kind == 0 else (distance < half) & (distance > 0.55 * half)
    picture = rng.uniform(0.5, 1.0) * shape + rng.normal(scale=0.15, size=(SIZE, SIZE))
    return picture[..., None], kind, np.array([row, column, half]) / SIZE


def scenes(count, seed):
    rng = np.random.default_rng(seed)
    pictures, kinds, boxes = zip(*[scene(rng) for _ in range(count)], strict=True)
    targets = {"kind": np.array(kinds), "box": np.stack(boxes).astype("float32")}
    return np.stack(pictures).astype("float32"), targets


def build(settings):
    width = settings.getint("width")
    inputs = keras.Input((SIZE, SIZE, 1))
    x = inputs
    for filters in (width, 2 * width):
        x = layers.Conv2D(filters, 3, padding="same", activation="relu")(x)
        x = layers.MaxPooling2D(2)(x)
    x = layers.Flatten()(x)
    x = layers.Dense(settings.getint("hidden"), activation="relu")(x)
    kind = layers.Dense(len(KINDS), activation="softmax", name="kind")(x)
    box = layers.Dense(3, activation="sigmoid", name="box")(x)
    return keras.Model(inputs, {"kind": kind, "box": box})


def make_optimizer(settings):
    common = {"clipnorm": settings.getfloat("clip_norm")}
    if settings["name"] == "sgd":
        common["momentum"] = settings.getfloat("momentum")
        return keras.optimizers.SGD(settings.getfloat("rate"), **common)
    return keras.optimizers.Adam(settings.getfloat("rate"), **common)


def box_loss(true, predicted):
    """Absolute error of the centre and of the size, in picture widths."""
    return ops.mean(ops.abs(true - predicted), axis=-1)


def overlap(first, second):
    """Intersection over union of square boxes."""
    sides = []
    for axis in range(2):
        low = np.maximum(first[:, axis] - first[:, 2], second[:, axis] - second[:, 2])
        high = np.minimum(first[:, axis] + first[:, 2], second[:, axis] + second[:, 2])
        sides.append(np.clip(high - low, 0, None))
    common = sides[0] * sides[1]
    return common / (4 * first[:, 2] ** 2 + 4 * second[:, 2] ** 2 - common)


class Progress(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        print(
            f"epoch {epoch}: loss {logs['loss']:.4f}, kind accuracy {logs['kind_accuracy']:.3f}, "
            f"val kind accuracy {logs['val_kind_accuracy']:.3f}, val loss {logs['val_loss']:.4f}"
        )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--settings", help="a file that replaces the usual settings")
    args = parser.parse_args()
    settings = configparser.ConfigParser()
    settings.read_string(SETTINGS)
    if args.settings:
        settings.read(args.settings)
    keras.utils.set_random_seed(args.seed)
    train, valid = scenes(1000, args.seed), scenes(300, args.seed + 12)
    model = build(settings["model"])
    model.compile(
        optimizer=make_optimizer(settings["optimizer"]),
        loss={"kind": "sparse_categorical_crossentropy", "box": box_loss},
        loss_weights={"kind": 1.0, "box": settings["loss"].getfloat("box_weight")},
        metrics={"kind": ["accuracy"]},
    )
    model.fit(
        *train,
        batch_size=settings["training"].getint("batch_size"),
        epochs=settings["training"].getint("epochs"),
        validation_data=valid,
        callbacks=[Progress()],
        verbose=0,
    )
    predicted = model.predict(valid[0], batch_size=150, verbose=0)
    hits = predicted["kind"].argmax(axis=1) == valid[1]["kind"]
    print(f"val accuracy {hits.mean():.3f}, mean overlap {overlap(predicted['box'], valid[1]['box']).mean():.3f}")


if __name__ == "__main__":
    main()
