"""Predict the strength of a material from its mixture with a tf.data pipeline."""

# backend: tensorflow

import argparse

import keras
import numpy as np
import tensorflow as tf
from keras import layers


def mixtures(count, seed):
    """Strength of a mixture: a smooth law and the scatter of the test bench."""
    law = np.random.default_rng(5)
    inner, outer = law.normal(size=(8, 6)), law.normal(size=6)
    rng = np.random.default_rng(seed)
    shares = rng.normal(size=(count, 8)).astype("float32")
    strength = np.tanh(shares @ inner * 0.5) @ outer + rng.normal(scale=1.0, size=count)
    return shares, strength.astype("float32")


def pipeline(features, targets, args):
    dataset = tf.data.Dataset.from_tensor_slices((features, targets))
    dataset = dataset.shuffle(len(features), seed=args.seed)
    held_out = int(len(features) * args.valid_share)
    valid = dataset.take(held_out).batch(args.batch_size)
    train = dataset.skip(held_out).shuffle(len(features)).batch(args.batch_size)
    return train.prefetch(tf.data.AUTOTUNE), valid.prefetch(tf.data.AUTOTUNE)


def build(args):
    inputs = keras.Input((8,))
    x = inputs
    for _ in range(args.depth):
        x = layers.Dense(args.width, activation="relu")(x)
    outputs = layers.Dense(1)(x)
    model = keras.Model(inputs, outputs, name="strength")
    model.compile(optimizer=keras.optimizers.Adam(args.lr), loss="mse", metrics=["mae"])
    return model


def report(history, every):
    for epoch in range(0, len(history["loss"]), every):
        print(f"epoch {epoch:3d}  train {history['loss'][epoch]:.3f}  valid {history['val_loss'][epoch]:.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--examples", type=int, default=400)
    parser.add_argument("--valid-share", type=float, default=0.25)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=60)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--depth", type=int, default=2)
    parser.add_argument("--lr", type=float, default=2e-3)
    args = parser.parse_args()
    keras.utils.set_random_seed(args.seed)
    features, targets = mixtures(args.examples, args.seed)
    train, valid = pipeline(features, targets, args)
    model = build(args)
    stopping = keras.callbacks.EarlyStopping(monitor="val_loss", patience=12, restore_best_weights=True)
    fitted = model.fit(train, validation_data=valid, epochs=args.epochs, callbacks=[stopping], verbose=0)
    report(fitted.history, 10)
    test_loss, _ = model.evaluate(*mixtures(1000, args.seed + 1), verbose=0)
    print(f"best valid loss {min(fitted.history['val_loss']):.3f}, test loss {test_loss:.3f}")


if __name__ == "__main__":
    main()
