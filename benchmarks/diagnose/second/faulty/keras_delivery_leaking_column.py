"""Predict late deliveries from a table of orders, and judge the model on the orders that are still open."""

import argparse

import keras
import numpy as np
from keras import layers

WEEKDAYS, CARRIERS = 7, 4


class Orders:
    """A table by columns; open orders have no days in transit yet."""

    def __init__(self, columns):
        self.columns = columns

    def __len__(self):
        return len(self.columns["late"])

    def __getitem__(self, name):
        return self.columns[name]

    def rows(self, chosen):
        return Orders({name: values[chosen] for name, values in self.columns.items()})


def simulate(count, rng):
    distance = rng.gamma(2.0, 300.0, size=count)
    weight = rng.lognormal(1.0, 0.8, size=count)
    weekday = rng.integers(0, WEEKDAYS, size=count)
    carrier = rng.integers(0, CARRIERS, size=count)
    promised = rng.integers(2, 7, size=count)
    speed = np.array([320.0, 250.0, 400.0, 280.0])[carrier]
    transit = distance / speed + 0.15 * weight + 1.2 * (weekday >= 4) + rng.gamma(2.0, 0.7, size=count)
    return Orders(
        {
            "distance": distance,
            "weight": weight,
            "weekday": weekday,
            "carrier": carrier,
            "promised days": promised,
            "days in transit": transit,
            "late": (transit > promised).astype("float32"),
        }
    )


def as_open(orders):
    """The orders as they look before they are delivered."""
    return Orders({**orders.columns, "days in transit": np.zeros(len(orders))})


CATEGORIES = {"weekday": WEEKDAYS, "carrier": CARRIERS}
TARGET = "late"


def number_columns(orders):
    return [name for name in orders.columns if name not in CATEGORIES and name != TARGET]


class Encoder:
    """Numbers are standardised, categories become indicator columns."""

    def fit(self, orders):
        self.numbers = number_columns(orders)
        self.mean = {name: orders[name].mean() for name in self.numbers}
        self.std = {name: orders[name].std() for name in self.numbers}
        return self

    def transform(self, orders):
        columns = [(orders[name] - self.mean[name]) / self.std[name] for name in self.numbers]
        for name, size in CATEGORIES.items():
            columns.extend(np.eye(size)[orders[name]].T)
        return np.stack(columns, axis=1).astype("float32")


def build(inputs, width, dropout):
    model = keras.Sequential(
        [
            keras.Input((inputs,)),
            layers.Dense(width, activation="relu"),
            layers.Dropout(dropout),
            layers.Dense(width, activation="relu"),
            layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile(
        optimizer=keras.optimizers.Adam(2e-3),
        loss="binary_crossentropy",
        metrics=["accuracy", keras.metrics.AUC(name="auc")],
    )
    return model


def split(orders, rng, share=0.2):
    order = rng.permutation(len(orders))
    cut = int(len(orders) * share)
    return orders.rows(order[cut:]), orders.rows(order[:cut])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--width", type=int, default=32)
    parser.add_argument("--dropout", type=float, default=0.1)
    args = parser.parse_args()
    keras.utils.set_random_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    train, valid = split(simulate(3000, rng), rng)
    pending = as_open(simulate(800, rng))
    encoder = Encoder().fit(train)
    x_train, x_valid, x_pending = (encoder.transform(orders) for orders in (train, valid, pending))
    model = build(x_train.shape[1], args.width, args.dropout)
    history = model.fit(
        x_train,
        train[TARGET],
        batch_size=args.batch_size,
        epochs=args.epochs,
        validation_data=(x_valid, valid[TARGET]),
        verbose=0,
    ).history
    for epoch in range(args.epochs):
        print(f"epoch {epoch}: loss {history['loss'][epoch]:.4f}, val AUC {history['val_auc'][epoch]:.3f}")
    _, accuracy, _ = model.evaluate(x_pending, pending[TARGET], batch_size=400, verbose=0)
    print(f"val accuracy {history['val_accuracy'][-1]:.3f}, accuracy of open orders {accuracy:.3f}")


if __name__ == "__main__":
    main()
