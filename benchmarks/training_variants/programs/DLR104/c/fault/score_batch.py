import argparse
import os

import keras
import numpy as np

keras.utils.set_random_seed(1)


def train(folder):
    x = np.random.rand(80, 7)
    y = x.sum(axis=1) > 3.5
    model = keras.Sequential([keras.Input((7,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1, activation="sigmoid")])
    model.compile(optimizer="adam", loss="binary_crossentropy")
    model.fit(x, y.astype("float32"), epochs=2, batch_size=16, verbose=0)
    model.save(os.path.join(folder, "scorer.keras"))


def score(folder):
    model = keras.models.load_model(os.path.join(folder, "scorer.h5"))
    rows = np.random.rand(5, 7)
    for value in model.predict(rows, verbose=0)[:, 0]:
        print(f"{value:.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--folder", default="artifacts")
    parser.add_argument("--skip-training", action="store_true")
    options = parser.parse_args()
    os.makedirs(options.folder, exist_ok=True)
    if not options.skip_training:
        train(options.folder)
    score(options.folder)


if __name__ == "__main__":
    main()
