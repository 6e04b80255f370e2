"""Sort parcels by the sound of a knock on them; the learning rate follows the size of the batches."""

# backend: tensorflow

import argparse

import keras
import numpy as np
import tensorflow as tf
from keras import layers

CONTENTS = ("paper", "glass", "metal", "liquid", "empty")
POINTS = 64
BASE_RATE = 0.4
BASE_BATCH = 256


def knock(content, rng):
    """A decaying tone; the contents differ in pitch, length and a second tone."""
    pitch, length, second = {
        "paper": (0.25, 6.0, 0.0),
        "glass": (0.9, 18.0, 0.5),
        "metal": (0.7, 26.0, 0.9),
        "liquid": (0.25, 14.0, 0.3),
        "empty": (0.45, 20.0, 0.0),
    }[content]
    time = np.arange(POINTS)
    pitch = pitch * rng.uniform(0.92, 1.08)
    tone = np.sin(pitch * time) + second * np.sin(2.3 * pitch * time + rng.uniform(0, 6))
    return rng.uniform(0.8, 1.2) * tone * np.exp(-time / length) + rng.normal(scale=0.25, size=POINTS)


def parcels(count, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, len(CONTENTS), size=count)
    sounds = np.stack([knock(CONTENTS[label], rng) for label in labels])
    return sounds.astype("float32"), labels


def delay(sound, label):
    """Starts the sound a little later, as if the microphone had been further away."""
    steps = tf.random.uniform((), 0, 4, dtype=tf.int32)
    return tf.roll(sound, steps, axis=0), label


def pipeline(data, batch_size, training):
    dataset = tf.data.Dataset.from_tensor_slices(data)
    if training:
        dataset = dataset.shuffle(len(data[1])).map(delay, num_parallel_calls=tf.data.AUTOTUNE)
    return dataset.batch(batch_size).prefetch(tf.data.AUTOTUNE)


def build(width):
    model = keras.Sequential([keras.Input((POINTS,)), layers.Reshape((POINTS, 1))])
    for filters in (width, 2 * width):
        model.add(layers.Conv1D(filters, 5, padding="same", activation="relu"))
        model.add(layers.MaxPooling1D(2))
    model.add(layers.Flatten())
    model.add(layers.Dense(4 * width, activation="relu"))
    model.add(layers.Dense(len(CONTENTS)))
    return model


def scaled_rate(batch_size):
    """The rate for batches of this size, from the rate for batches of the base size."""
    return BASE_RATE * batch_size / BASE_BATCH


class RateSchedule(keras.callbacks.Callback):
    """Linear warm-up over the first epochs, then a cosine down to zero; set before each batch."""

    def __init__(self, peak, warmup_steps, total_steps):
        super().__init__()
        self.peak, self.warmup_steps, self.total_steps = peak, warmup_steps, total_steps
        self.step = 0

    def rate(self):
        if self.step < self.warmup_steps:
            return self.peak * (self.step + 1) / self.warmup_steps
        done = (self.step - self.warmup_steps) / (self.total_steps - self.warmup_steps)
        return 0.5 * self.peak * (1 + np.cos(np.pi * done))

    def on_train_batch_begin(self, batch, logs=None):
        self.model.optimizer.learning_rate = self.rate()
        self.step += 1


class Lines(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        numbers = ", ".join(f"{name} {value:.4f}" for name, value in logs.items())
        print(f"epoch {epoch}: {numbers}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--warmup-epochs", type=int, default=2)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--width", type=int, default=8)
    parser.add_argument("--momentum", type=float, default=0.9)
    args = parser.parse_args()
    keras.utils.set_random_seed(args.seed)
    train = pipeline(parcels(1500, args.seed), args.batch_size, training=True)
    valid = pipeline(parcels(400, args.seed + 50), 200, training=False)
    steps = len(train)
    peak = scaled_rate(args.batch_size)
    model = build(args.width)
    model.compile(
        optimizer=keras.optimizers.SGD(peak, momentum=args.momentum),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    model.fit(
        train,
        epochs=args.epochs,
        validation_data=valid,
        callbacks=[RateSchedule(peak, args.warmup_epochs * steps, args.epochs * steps), Lines()],
        verbose=0,
    )
    loss, accuracy = model.evaluate(valid, verbose=0)
    print(f"final val loss {loss:.4f}, val accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
