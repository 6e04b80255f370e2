"""Keras self-normalising network for tabular data."""
import argparse

import keras
import numpy as np
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler


def tower(depth, width):
    inputs = keras.Input((30,))
    h = inputs
    for i in range(depth):
        h = keras.layers.Dense(
            width,
            activation="selu",
            kernel_initializer="he_normal",
            name=f"selu_{i}",
        )(h)
        h = keras.layers.AlphaDropout(0.05)(h)
    return keras.Model(inputs, [keras.layers.Dense(1, activation="sigmoid", name="malignant")(h), h])


def prepared(seed):
    x, y = load_breast_cancer(return_X_y=True)
    x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.25, random_state=seed, stratify=y)
    scaler = StandardScaler().fit(x_train)
    return scaler.transform(x_train), scaler.transform(x_test), y_train, y_test


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--width", type=int, default=64)
    parser.add_argument("--epochs", type=int, default=5)
    args = parser.parse_args()
    keras.utils.set_random_seed(15)
    x_train, x_test, y_train, y_test = prepared(seed=15)
    full = tower(args.depth, args.width)
    spread = float(np.std(full.predict(x_train, verbose=0)[1]))
    model = keras.Model(full.input, full.outputs[0])
    model.compile(keras.optimizers.SGD(0.01, momentum=0.9), loss="binary_crossentropy", metrics=["accuracy"])
    model.fit(x_train, y_train, batch_size=32, epochs=args.epochs, validation_split=0.1, verbose=0)
    _, accuracy = model.evaluate(x_test, y_test, verbose=0)
    print(f"spread of the last hidden layer at the start {spread:.2f}, test accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
