"""Keras text classifier with a learning rate taken from a preset table."""
import argparse

import keras
import numpy as np
from keras import layers

PRESETS = {
    "small": {"units": 16, "dropout": 0.1},
    "base": {"units": 32, "dropout": 0.3},
}
BASE_LR = 2e-3


def toy_corpus(n, vocab=300, length=20, seed=0):
    rng = np.random.default_rng(seed)
    topic = rng.integers(0, 3, n)
    ids = rng.integers(1, vocab, (n, length))
    marked = rng.random((n, length)) < 0.3
    ids[marked] = (topic[:, None] * 20 + rng.integers(1, 20, (n, length)))[marked]
    return ids, topic


def build(preset, vocab=300):
    options = PRESETS[preset]
    model = keras.Sequential(
        [
            keras.Input((20,), dtype="int32"),
            layers.Embedding(vocab, options["units"]),
            layers.Bidirectional(layers.GRU(options["units"])),
            layers.Dropout(options["dropout"]),
            layers.Dense(3, activation="softmax"),
        ]
    )
    model.compile(
        optimizer=keras.optimizers.Adam(learning_rate=BASE_LR, beta_2=0.98),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--preset", choices=sorted(PRESETS), default="base")
    parser.add_argument("--epochs", type=int, default=4)
    args = parser.parse_args()
    keras.utils.set_random_seed(1)
    x, y = toy_corpus(900, seed=0)
    x_val, y_val = toy_corpus(300, seed=1)
    model = build(args.preset)
    log = model.fit(x, y, batch_size=50, epochs=args.epochs, validation_data=(x_val, y_val), verbose=0)
    print("val accuracy", round(log.history["val_accuracy"][-1], 3), "val loss", round(log.history["val_loss"][-1], 3))


if __name__ == "__main__":
    main()
