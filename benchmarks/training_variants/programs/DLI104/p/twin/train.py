"""Keras MLP on digits with an explicit initialiser for every hidden layer."""
import argparse

import keras
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


def hidden(units, name):
    start = keras.initializers.RandomNormal(mean=0.0, stddev=0.08, seed=len(name))
    return keras.layers.Dense(units, activation="tanh", kernel_initializer=start, name=name)


def build(widths):
    inputs = keras.Input((64,))
    h = inputs
    for i, units in enumerate(widths):
        h = hidden(units, f"hidden_{i}")(h)
    model = keras.Model(inputs, keras.layers.Dense(10)(h))
    model.compile(
        optimizer=keras.optimizers.SGD(learning_rate=0.05, momentum=0.9),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--widths", type=int, nargs="+", default=[128, 128, 128])
    parser.add_argument("--epochs", type=int, default=6)
    args = parser.parse_args()
    keras.utils.set_random_seed(2)
    x, y = load_digits(return_X_y=True)
    x_train, x_test, y_train, y_test = train_test_split(x / 16.0, y, test_size=0.3, random_state=2, stratify=y)
    model = build(args.widths)
    model.fit(x_train, y_train, epochs=args.epochs, batch_size=32, validation_split=0.1, verbose=0)
    loss, accuracy = model.evaluate(x_test, y_test, verbose=0)
    print(f"test loss {loss:.3f}, accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
