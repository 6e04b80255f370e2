"""Learn when two noisy recordings are of the same key: a gradient tape, a contrastive margin and summed gradients."""

# backend: tensorflow

import argparse

import keras
import numpy as np
import tensorflow as tf
from keras import layers


def recordings(keys, rng):
    base = rng.integers(0, len(keys), size=2048)
    same = rng.random(2048) < 0.5
    other = (base + rng.integers(1, len(keys), size=2048)) % len(keys)
    second = np.where(same, base, other)
    left = keys[base] + rng.normal(scale=0.7, size=(2048, keys.shape[1]))
    right = keys[second] + rng.normal(scale=0.7, size=(2048, keys.shape[1]))
    return left.astype("float32"), right.astype("float32"), same.astype("float32")


def encoder(inputs, width, outputs):
    return keras.Sequential(
        [
            keras.Input((inputs,)),
            layers.Dense(width, activation="relu"),
            layers.Dropout(0.1),
            layers.Dense(width, activation="relu"),
            layers.Dense(outputs),
        ]
    )


def distance(model, left, right, training):
    gap = model(left, training=training) - model(right, training=training)
    return tf.sqrt(tf.reduce_sum(tf.square(gap), axis=1) + 1e-9)


def contrastive(distances, same, margin):
    near = same * tf.square(distances)
    far = (1 - same) * tf.square(tf.maximum(margin - distances, 0.0))
    return tf.reduce_mean(near + far)


class Trainer:
    """Adds up the gradients of some small batches before each step of the optimizer."""

    def __init__(self, model, optimizer, margin, group):
        self.model, self.optimizer, self.margin, self.group = model, optimizer, margin, group
        self.sums = [tf.Variable(tf.zeros_like(weight), trainable=False) for weight in model.trainable_variables]

    @tf.function
    def collect(self, left, right, same):
        with tf.GradientTape() as tape:
            loss = contrastive(distance(self.model, left, right, training=True), same, self.margin)
            scaled = loss / self.group
        gradients = tape.gradient(scaled, self.model.trainable_variables)
        for total, gradient in zip(self.sums, gradients, strict=True):
            total.assign_add(gradient)
        return loss

    @tf.function
    def apply(self):
        gradients = [tf.identity(total) for total in self.sums]
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables, strict=True))
        for total in self.sums:
            total.assign(tf.zeros_like(total))

    def epoch(self, data):
        losses = []
        for number, batch in enumerate(data, start=1):
            losses.append(float(self.collect(*batch)))
            if number % self.group == 0:
                self.apply()
        return sum(losses) / len(losses)


def accuracy(model, left, right, same, limit):
    close = distance(model, left, right, training=False).numpy() < limit
    return np.mean(close == (same > 0.5))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--small-batch", type=int, default=16)
    parser.add_argument("--group", type=int, default=4)
    parser.add_argument("--margin", type=float, default=2.0)
    args = parser.parse_args()
    keras.utils.set_random_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    keys = rng.normal(size=(40, 24))
    train, valid = recordings(keys, rng), recordings(keys, rng)
    data = tf.data.Dataset.from_tensor_slices(train).shuffle(2048).batch(args.small_batch, drop_remainder=True)
    model = encoder(24, 48, 8)
    trainer = Trainer(model, keras.optimizers.Adam(2e-3), args.margin, args.group)
    for epoch in range(args.epochs):
        loss = trainer.epoch(data)
        score = accuracy(model, *valid, limit=args.margin / 2)
        print(f"epoch {epoch}: loss {loss:.4f}, valid accuracy {score:.3f}")


if __name__ == "__main__":
    main()
