"""Estimate the level of a tank from pressure sensors with a hand-written loop, weights for old readings and a report."""

# backend: tensorflow

import argparse
from dataclasses import dataclass

import keras
import numpy as np
import tensorflow as tf
from keras import layers

SENSORS = 8


@dataclass
class Readings:
    pressure: np.ndarray
    level: np.ndarray
    age: np.ndarray

    def __len__(self):
        return len(self.level)

    def part(self, rows):
        return Readings(self.pressure[rows], self.level[rows], self.age[rows])


def simulate(count, rng):
    """Pressures at eight heights of a tank whose liquid changes its density a little."""
    level = rng.uniform(0.5, 9.5, size=count)
    density = rng.normal(1.0, 0.05, size=count)
    heights = np.linspace(0, 8, SENSORS)
    depth = np.maximum(level[:, None] - heights, 0)
    pressure = density[:, None] * depth + rng.normal(scale=0.15, size=(count, SENSORS))
    age = rng.integers(0, 30, size=count)
    return Readings(pressure.astype("float32"), level.astype("float32"), age.astype("float32"))


class Scaling:
    """Scales of the inputs and of the target, taken from training readings."""

    def __init__(self, readings):
        self.mean, self.std = readings.pressure.mean(axis=0), readings.pressure.std(axis=0)
        self.level_mean, self.level_std = readings.level.mean(), readings.level.std()

    def inputs(self, readings):
        return (readings.pressure - self.mean) / self.std

    def targets(self, readings):
        return (readings.level - self.level_mean) / self.level_std

    def levels(self, outputs):
        return outputs * self.level_std + self.level_mean


def make_dataset(readings, scaling, batch, training):
    columns = (scaling.inputs(readings), scaling.targets(readings), 0.97**readings.age)
    data = tf.data.Dataset.from_tensor_slices(columns)
    if training:
        data = data.shuffle(len(readings))
    return data.batch(batch).prefetch(2)


def build(width):
    return keras.Sequential(
        [
            keras.Input((SENSORS,)),
            layers.Dense(width, activation="relu"),
            layers.Dense(width, activation="relu"),
            layers.Dense(1),
        ]
    )


def huber(errors, delta):
    size = tf.abs(errors)
    return tf.where(size < delta, 0.5 * tf.square(size), delta * (size - 0.5 * delta))


class Loop:
    def __init__(self, model, optimizer, delta):
        self.model, self.optimizer, self.delta = model, optimizer, delta

    def loss(self, inputs, targets, weights, training):
        outputs = tf.squeeze(self.model(inputs, training=training), axis=1)
        losses = huber(outputs - targets, self.delta)
        return tf.reduce_mean(weights * losses) / tf.reduce_mean(weights)

    @tf.function
    def step(self, inputs, targets, weights):
        with tf.GradientTape() as tape:
            loss = self.loss(inputs, targets, weights, training=True)
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables, strict=True))
        return loss

    def fit(self, train, valid, epochs):
        for epoch in range(epochs):
            losses = [float(self.step(*batch)) for batch in train]
            checks = [float(self.loss(*batch, training=False)) for batch in valid]
            print(f"epoch {epoch}: loss {np.mean(losses):.4f}, valid loss {np.mean(checks):.4f}")


def report(model, readings, scaling):
    """Mean error of the level, and how much of its variance is explained."""
    outputs = scaling.levels(model(scaling.inputs(readings), training=False).numpy()[:, 0])
    errors = outputs - readings.level
    explained = 1 - np.mean(errors**2) / readings.level.var()
    return np.abs(errors).mean(), explained


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--width", type=int, default=32)
    parser.add_argument("--delta", type=float, default=1.0)
    parser.add_argument("--lr", type=float, default=2e-3)
    args = parser.parse_args()
    keras.utils.set_random_seed(args.seed)
    readings = simulate(2000, np.random.default_rng(args.seed))
    train, valid = readings.part(slice(0, 1600)), readings.part(slice(1600, None))
    scaling = Scaling(train)
    model = build(args.width)
    loop = Loop(model, keras.optimizers.Adam(args.lr), args.delta)
    loop.fit(
        make_dataset(train, scaling, args.batch_size, training=True),
        make_dataset(valid, scaling, 200, training=False),
        args.epochs,
    )
    error, explained = report(model, valid, scaling)
    print(f"final error {error:.3f}, explained variance {explained:.3f}")


if __name__ == "__main__":
    main()
