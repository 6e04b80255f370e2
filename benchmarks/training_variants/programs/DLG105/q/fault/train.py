"""Keras: detect events in a long recording with a sliding window."""
import argparse

import keras
import numpy as np

WINDOW, HOP = 32, 8


def recording(length, seed):
    rng = np.random.default_rng(seed)
    signal = rng.normal(0, 0.3, length)
    truth = np.zeros(length)
    for start in rng.integers(0, length - WINDOW, length // 200):
        signal[start : start + WINDOW] += np.sin(np.arange(WINDOW))
        truth[start : start + WINDOW] = 1
    return signal.astype("float32"), truth


def windows(signal, truth):
    starts = range(0, len(signal) - WINDOW, HOP)
    x = np.stack([signal[s : s + WINDOW] for s in starts])
    y = np.array([truth[s : s + WINDOW].mean() > 0.5 for s in starts], dtype="float32")
    return x[..., None], y


def detector():
    model = keras.Sequential(
        [
            keras.Input((WINDOW, 1)),
            keras.layers.Conv1D(8, 5, activation="relu"),
            keras.layers.Conv1D(8, 5, activation="relu"),
            keras.layers.GlobalMaxPooling1D(),
            keras.layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile(keras.optimizers.Adam(learning_rate=5e-3, beta_2=0.99), loss="binary_crossentropy", metrics=["accuracy"])
    return model


def scan(model, x):
    scores = []
    for window in x:
        scores.append(float(model.predict(window[None], verbose=0)[0, 0]))
    return np.array(scores)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--length", type=int, default=500)
    args = parser.parse_args()
    keras.utils.set_random_seed(1)
    model = detector()
    model.fit(*windows(*recording(6000, 1)), batch_size=32, epochs=args.epochs, validation_data=windows(*recording(2000, 2)), verbose=0)
    x, y = windows(*recording(args.length, 3))
    scores = scan(model, x)
    print(f"{len(scores)} windows, accuracy {np.mean((scores > 0.5) == y):.3f}")


if __name__ == "__main__":
    main()
