"""Detect whether two sensors of a machine knock at the same moment (recurrent network over time)."""

import argparse

import keras
import numpy as np
from keras import layers

CHANNELS, STEPS = 6, 40


def record(count, seed):
    """Readings as the logger writes them: one row of samples for each channel."""
    rng = np.random.default_rng(seed)
    readings = rng.normal(scale=0.3, size=(count, CHANNELS, STEPS))
    together = rng.integers(0, 2, count)
    for reading, label in zip(readings, together, strict=True):
        first = rng.integers(0, STEPS)
        second = first if label else (first + rng.integers(3, STEPS - 3)) % STEPS
        reading[0, first] += 3
        reading[3, second] += 3
        reading[rng.choice([1, 2, 4, 5]), rng.integers(0, STEPS)] += 3
    return readings.astype("float32"), together.astype("float32")


def to_sequences(readings):
    """Time first, as recurrent layers want it."""
    count, channels, steps = readings.shape
    return readings.transpose(0, 2, 1).reshape(count, steps, channels)


def build(units, rate):
    inputs = keras.Input((STEPS, CHANNELS))
    x = layers.Dense(24, activation="relu")(inputs)
    x = layers.GRU(units, return_sequences=True)(x)
    x = layers.GlobalMaxPooling1D()(x)
    outputs = layers.Dense(1, activation="sigmoid")(x)
    model = keras.Model(inputs, outputs)
    model.compile(
        optimizer=keras.optimizers.Adam(rate, clipnorm=1.0),
        loss="binary_crossentropy",
        metrics=["accuracy"],
    )
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--units", type=int, default=24)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--batch-size", type=int, default=50)
    parser.add_argument("--rate", type=float, default=5e-3)
    args = parser.parse_args()
    keras.utils.set_random_seed(args.seed)
    train_readings, train_labels = record(1500, 1)
    valid_readings, valid_labels = record(400, 2)
    model = build(args.units, args.rate)
    history = model.fit(
        to_sequences(train_readings),
        train_labels,
        batch_size=args.batch_size,
        epochs=args.epochs,
        validation_data=(to_sequences(valid_readings), valid_labels),
        verbose=0,
    ).history
    for epoch in range(args.epochs):
        print(f"{epoch:2d} loss {history['loss'][epoch]:.4f} val accuracy {history['val_accuracy'][epoch]:.3f}")
    print(f"final val accuracy {history['val_accuracy'][-1]:.3f}")


if __name__ == "__main__":
    main()
