"""Rank news headlines by topic with a bag-of-words network and a decaying learning rate."""

import argparse

import keras
import numpy as np
from keras import layers

TOPICS = ("politics", "sport", "science", "travel", "music")
WORDS = 400


def headlines(count, seed):
    """Counts of words; each topic has words of its own, and all share the rest."""
    taste = np.random.default_rng(9)
    logits = taste.normal(size=WORDS) + 0.6 * taste.normal(size=(len(TOPICS), WORDS))
    shares = np.exp(logits) / np.exp(logits).sum(axis=1, keepdims=True)
    rng = np.random.default_rng(seed)
    topics = rng.integers(0, len(TOPICS), count)
    counts = np.stack([rng.multinomial(18, shares[topic]) for topic in topics])
    return np.log1p(counts).astype("float32"), topics


def build(hidden, schedule):
    model = keras.Sequential(
        [
            keras.Input((WORDS,)),
            layers.Dense(hidden, activation="relu"),
            layers.Dropout(0.3),
            layers.Dense(len(TOPICS), activation="softmax"),
        ]
    )
    model.compile(
        optimizer=keras.optimizers.SGD(schedule, momentum=0.9),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--batch-size", type=int, default=20)
    parser.add_argument("--rate", type=float, default=0.02)
    parser.add_argument("--drop", type=float, default=0.5)
    parser.add_argument("--drop-every", type=int, default=10)
    parser.add_argument("--hidden", type=int, default=48)
    args = parser.parse_args()
    keras.utils.set_random_seed(args.seed)
    train, valid = headlines(1500, 1), headlines(500, 2)
    schedule = keras.optimizers.schedules.ExponentialDecay(
        args.rate,
        decay_steps=args.drop_every,
        decay_rate=args.drop,
        staircase=True,
    )
    model = build(args.hidden, schedule)
    history = model.fit(
        *train,
        batch_size=args.batch_size,
        epochs=args.epochs,
        validation_data=valid,
        verbose=0,
    ).history
    for epoch in range(args.epochs):
        print(f"epoch {epoch}: loss {history['loss'][epoch]:.4f}, val accuracy {history['val_accuracy'][epoch]:.3f}")
    print(f"final loss {history['loss'][-1]:.4f}, val accuracy {history['val_accuracy'][-1]:.3f}")


if __name__ == "__main__":
    main()
