import argparse
import os

import keras
import numpy as np
from keras import layers


def build():
    model = keras.Sequential(
        [keras.Input((12,)), layers.Dense(16, activation="relu"), layers.Dense(4, activation="softmax")]
    )
    model.compile("adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def data(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 12)).astype("float32")
    return x, x[:, :4].argmax(1)


def train(out_dir, epochs):
    os.makedirs(out_dir, exist_ok=True)
    model = build()
    model.fit(*data(200, 0), epochs=epochs, verbose=0)
    model.save(os.path.join(out_dir, "classifier.keras"))


def evaluate(out_dir):
    model = keras.models.load_model(os.path.join(out_dir, "classifier.keras"))
    loss, accuracy = model.evaluate(*data(80, 1), verbose=0)
    print(f"loss {loss:.3f} accuracy {accuracy:.3f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--out-dir", default="models")
    parser.add_argument("--epochs", type=int, default=3)
    args = parser.parse_args()
    keras.utils.set_random_seed(0)
    train(args.out_dir, args.epochs)
    evaluate(args.out_dir)
