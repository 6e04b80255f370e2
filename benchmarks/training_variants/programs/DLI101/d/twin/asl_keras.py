"""Sign language letters, a small CNN."""
import argparse

import numpy as np
import tensorflow as tf
from tensorflow.keras import layers, models


def parse_args():
    ap = argparse.ArgumentParser()
    ap.add_argument("--epochs", type=int, default=3)
    ap.add_argument("--filters", type=int, default=8)
    return ap.parse_args()


def build(filters, letters):
    net = models.Sequential(name="asl")
    net.add(layers.Input((14, 14, 1)))
    net.add(layers.Conv2D(filters, 3, activation="relu", kernel_initializer="he_uniform"))
    net.add(layers.MaxPooling2D())
    net.add(layers.Flatten())
    net.add(layers.Dense(letters, activation="softmax"))
    net.compile("adam", "sparse_categorical_crossentropy", metrics=["accuracy"])
    return net


def hands(n, letters):
    y = np.random.randint(letters, size=n)
    x = np.random.rand(n, 14, 14, 1).astype("float32") * 0.3
    for i, k in enumerate(y):
        x[i, 2 * k : 2 * k + 3] += 0.7
    return x, y


def main():
    args = parse_args()
    tf.keras.utils.set_random_seed(26)
    x, y = hands(120, 5)
    net = build(args.filters, 5)
    hist = net.fit(x, y, epochs=args.epochs, batch_size=24, verbose=0)
    print("accuracy", np.round(hist.history["accuracy"], 3))
    print("kernel norm", float(np.linalg.norm(net.layers[0].get_weights()[0])))


main()
