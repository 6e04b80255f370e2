"""Keras text-length regressor: only the data are seeded."""
import argparse

import keras
import numpy as np
from keras import layers
from sklearn.model_selection import train_test_split


def requests(n):
    payload = np.random.lognormal(3, 1, n)
    cached = np.random.random(n) < 0.4
    latency = np.where(cached, 2, 5 + 0.02 * payload) + np.random.gamma(2, 0.2, n)
    x = np.stack([np.log(payload), cached.astype(float)], axis=1)
    return x.astype("float32"), np.log(latency).astype("float32")


def network(units, drop):
    model = keras.Sequential(
        [keras.Input((2,)), layers.Dense(units, activation="relu"), layers.Dropout(drop), layers.Dense(1)]
    )
    model.compile(keras.optimizers.Adam(learning_rate=5e-3, beta_2=0.99), loss="mse")
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=4)
    args = parser.parse_args()
    np.random.seed(args.seed)
    x, y = requests(1000)
    x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.2, random_state=args.seed)
    model = network(32, 0.1)
    model.fit(x_train, y_train, batch_size=40, epochs=args.epochs, validation_split=0.1, verbose=0)
    print(f"test error {model.evaluate(x_test, y_test, verbose=0):.6f}")


if __name__ == "__main__":
    main()
