"""Find failing pumps in windows of vibration with a tf.data pipeline and a convolutional network."""

# backend: tensorflow

import argparse

import keras
import numpy as np
import tensorflow as tf
from keras import layers

WINDOW = 96


def recording(length, failing, rng):
    """Two channels of a pump; failing ones have short knocks with a high tone."""
    time = np.arange(length)
    speed = rng.uniform(0.18, 0.25)
    signal = np.stack([np.sin(2 * np.pi * speed * time), np.cos(2 * np.pi * speed * time)], axis=1)
    signal = signal * rng.uniform(0.8, 1.3) + rng.normal(scale=0.5, size=signal.shape)
    if failing:
        for start in range(int(rng.integers(0, 40)), length - 12, 40):
            knock = np.exp(-np.arange(12) / 4) * np.cos(np.pi * np.arange(12) * 0.8)
            signal[start : start + 12] += rng.uniform(1.0, 1.8) * knock[:, None]
    return 20 + 5 * signal


def pumps(count, seed):
    """Windows of whole pumps, so that a pump is in one part only."""
    rng = np.random.default_rng(seed)
    windows, labels = [], []
    for pump in range(count):
        failing = pump % 2
        signal = recording(8 * WINDOW, failing, rng)
        windows.extend(signal.reshape(8, WINDOW, 2))
        labels.extend([failing] * 8)
    return np.asarray(windows, dtype="float32"), np.asarray(labels, dtype="float32")


def flip_sign(centre):
    def change(window, label):
        sign = tf.where(tf.random.uniform(()) < 0.5, 1.0, -1.0)
        return centre + sign * (window - centre), label

    return change


def pipeline(windows, labels, batch, training=False):
    data = tf.data.Dataset.from_tensor_slices((windows, labels))
    if training:
        centre = tf.constant(windows.mean(axis=(0, 1)))
        data = data.shuffle(len(labels)).map(flip_sign(centre), num_parallel_calls=tf.data.AUTOTUNE)
    return data.batch(batch).prefetch(tf.data.AUTOTUNE)


def build(scale):
    model = keras.Sequential([keras.Input((WINDOW, 2)), scale])
    for filters in (16, 24):
        model.add(layers.Conv1D(filters, 7, padding="same", use_bias=False))
        model.add(layers.BatchNormalization(momentum=0.9))
        model.add(layers.Activation("relu"))
        model.add(layers.MaxPooling1D(2))
    model.add(layers.GlobalMaxPooling1D())
    model.add(layers.Dropout(0.2))
    model.add(layers.Dense(1))
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--batch-size", type=int, default=32)
    args = parser.parse_args()
    keras.utils.set_random_seed(args.seed)
    windows, labels = pumps(160, args.seed)
    train = pipeline(windows, labels, args.batch_size, training=True)
    valid = pipeline(*pumps(50, args.seed + 500), 200)
    scale = layers.Normalization(axis=-1)
    scale.adapt(windows)
    model = build(scale)
    model.compile(
        optimizer=keras.optimizers.Adam(2e-3),
        loss=keras.losses.BinaryCrossentropy(from_logits=True),
        metrics=[keras.metrics.BinaryAccuracy(threshold=0.0, name="accuracy")],
    )
    stopping = keras.callbacks.EarlyStopping("val_loss", patience=3, restore_best_weights=True)
    history = model.fit(train, epochs=args.epochs, validation_data=valid, callbacks=[stopping], verbose=0).history
    for epoch, loss in enumerate(history["loss"]):
        print(f"epoch {epoch}: loss {loss:.4f}, valid accuracy {history['val_accuracy'][epoch]:.3f}")
    print(f"restored: valid accuracy {model.evaluate(valid, verbose=0)[1]:.3f}")


if __name__ == "__main__":
    main()
