"""Five-fold cross-validation of a small network on patients' records."""

import argparse

import keras
import numpy as np
from keras import layers


def patients(count, seed):
    rng = np.random.default_rng(seed)
    records = rng.normal(size=(count, 40)).astype("float32")
    risk = 0.6 * records[:, 0] - 0.5 * records[:, 1] + rng.normal(scale=1.2, size=count)
    return records, (risk > 0).astype("float32")


def k_folds(count, folds, rng):
    parts = np.array_split(rng.permutation(count), folds)
    for number in range(folds):
        train = np.concatenate([part for other, part in enumerate(parts) if other != number])
        yield train, parts[number]


def create_model(inputs, hidden, learning_rate):
    model = keras.Sequential(
        [
            keras.Input((inputs,)),
            layers.Dense(hidden, activation="relu"),
            layers.Dense(hidden, activation="relu"),
            layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile(
        optimizer=keras.optimizers.Adam(learning_rate),
        loss="binary_crossentropy",
        metrics=["accuracy"],
    )
    return model


def cross_validate(records, outcomes, args):
    rng = np.random.default_rng(args.seed)
    scores = []
    for number, (train, test) in enumerate(k_folds(len(records), args.folds, rng)):
        model = create_model(records.shape[1], args.hidden, args.learning_rate)
        mean, std = records[train].mean(0), records[train].std(0)
        history = model.fit(
            (records[train] - mean) / std,
            outcomes[train],
            batch_size=args.batch_size,
            epochs=args.epochs,
            verbose=0,
        )
        loss, accuracy = model.evaluate((records[test] - mean) / std, outcomes[test], verbose=0)
        print(f"fold {number + 1}: train accuracy {history.history['accuracy'][-1]:.3f}, test {accuracy:.3f} (loss {loss:.3f})")
        scores.append(accuracy)
    return scores


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--patients", type=int, default=400)
    parser.add_argument("--folds", type=int, default=5)
    parser.add_argument("--epochs", type=int, default=12)
    parser.add_argument("--batch-size", type=int, default=20)
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--learning-rate", type=float, default=2e-3)
    args = parser.parse_args()
    keras.utils.set_random_seed(args.seed)
    records, outcomes = patients(args.patients, args.seed)
    scores = cross_validate(records, outcomes, args)
    print(f"accuracy {np.mean(scores):.3f} (+/- {np.std(scores):.3f}), last fold {scores[-1]:.3f}")


if __name__ == "__main__":
    main()
