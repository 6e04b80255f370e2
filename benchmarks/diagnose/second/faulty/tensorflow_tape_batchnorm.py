"""A hand-written training loop with a gradient tape for raw laboratory values."""

# backend: tensorflow

import argparse
import time

import keras
import numpy as np
import tensorflow as tf
from keras import layers

PANELS = 4


def laboratory(count, seed):
    """Blood values in their own units; the diagnosis depends on their standardised values."""
    law = np.random.default_rng(21)
    inner, outer = law.normal(size=(16, 12)), law.normal(size=(12, PANELS))
    scale = 10.0 ** law.uniform(-2, 3, size=16)
    offset = scale * law.uniform(3, 6, size=16)
    rng = np.random.default_rng(seed)
    z = rng.normal(size=(count, 16))
    labels = (np.tanh(z @ inner * 0.6) @ outer + rng.gumbel(size=(count, PANELS)) * 0.3).argmax(1)
    return (offset + scale * z).astype("float32"), labels.astype("int64")


def make_model(hidden):
    inputs = keras.Input((16,))
    x = layers.BatchNormalization(momentum=0.9)(inputs)
    x = layers.Dense(hidden, use_bias=False)(x)
    x = layers.BatchNormalization(momentum=0.9)(x)
    x = layers.ReLU()(x)
    x = layers.Dropout(0.1)(x)
    outputs = layers.Dense(PANELS)(x)
    return keras.Model(inputs, outputs)


class Loop:
    def __init__(self, model, rate):
        self.model = model
        self.optimizer = keras.optimizers.Adam(rate)
        self.loss = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
        self.train_loss = keras.metrics.Mean()
        self.valid_accuracy = keras.metrics.SparseCategoricalAccuracy()

    @tf.function
    def train_step(self, values, labels):
        with tf.GradientTape() as tape:
            logits = self.model(values)
            loss = self.loss(labels, logits)
        gradients = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(gradients, self.model.trainable_variables, strict=True))
        self.train_loss.update_state(loss)

    @tf.function
    def valid_step(self, values, labels):
        self.valid_accuracy.update_state(labels, self.model(values, training=False))

    def run(self, train, valid, epochs):
        for epoch in range(epochs):
            begin = time.perf_counter()
            self.train_loss.reset_state()
            self.valid_accuracy.reset_state()
            for values, labels in train:
                self.train_step(values, labels)
            for values, labels in valid:
                self.valid_step(values, labels)
            seconds = time.perf_counter() - begin
            loss, accuracy = float(self.train_loss.result()), float(self.valid_accuracy.result())
            print(f"epoch {epoch}: loss {loss:.4f}, accuracy {accuracy:.3f} ({seconds:.1f} s)")
        return accuracy


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--rate", type=float, default=3e-3)
    args = parser.parse_args()
    keras.utils.set_random_seed(args.seed)
    train = tf.data.Dataset.from_tensor_slices(laboratory(3000, 1)).shuffle(3000).batch(args.batch_size, drop_remainder=True)
    valid = tf.data.Dataset.from_tensor_slices(laboratory(600, 2)).batch(200)
    accuracy = Loop(make_model(args.hidden), args.rate).run(train, valid, args.epochs)
    print(f"final accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
