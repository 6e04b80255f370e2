"""Train a Keras classifier, then report on held-out data in a separate function."""
import argparse

import keras
import numpy as np
from keras import layers
from sklearn.metrics import classification_report, f1_score


def spirals(n, seed):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 3, n)
    r = rng.uniform(0.1, 1, n)
    a = 4 * r + y * 2.0944 + rng.normal(0, 0.15, n)
    return np.stack([r * np.cos(a), r * np.sin(a)], axis=1).astype("float32"), y


def get_model(width):
    model = keras.Sequential(
        [
            keras.Input((2,)),
            layers.Dense(width, activation="relu"),
            layers.Dense(width, activation="relu"),
            layers.Dense(3, activation="softmax"),
        ]
    )
    model.compile(
        keras.optimizers.Adam(learning_rate=5e-3, beta_1=0.8), loss="sparse_categorical_crossentropy", metrics=["accuracy"]
    )
    return model


def train(args):
    model = get_model(args.width)
    x, y = spirals(1200, seed=0)
    model.fit(x, y, batch_size=40, epochs=args.epochs, validation_data=spirals(300, seed=1), verbose=0)
    return model


def report(model):
    x, y = spirals(400, seed=2)
    guess = model.predict(x, verbose=0).argmax(axis=1)
    print(classification_report(y, guess, zero_division=0))
    print("macro f1", round(f1_score(y, guess, average="macro"), 3))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--width", type=int, default=48)
    parser.add_argument("--epochs", type=int, default=12)
    args = parser.parse_args()
    keras.utils.set_random_seed(6)
    report(train(args))


if __name__ == "__main__":
    main()
