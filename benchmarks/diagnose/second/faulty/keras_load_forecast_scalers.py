"""Forecast the load of a power grid: trained on the winter half, tested on the summer half."""

import sys

import keras
import numpy as np
from keras import layers
from sklearn.preprocessing import MinMaxScaler

FEATURES = ["temperature", "daylight", "wind", "weekday", "price"]


def year(seed, days=365):
    rng = np.random.default_rng(seed)
    day = np.arange(days)
    season = np.cos((day - 20) / 365 * 2 * np.pi)
    temperature = 10 - 11 * season + rng.normal(scale=4, size=days)
    daylight = 12 - 4 * season + rng.normal(scale=0.2, size=days)
    wind = rng.gamma(2.0, 3.0, size=days)
    weekday = (day % 7 < 5).astype(float)
    price = rng.normal(60, 8, size=days)
    load = 55 - 0.9 * temperature - 0.6 * daylight + 6 * weekday + 0.15 * wind - 0.05 * price
    load += rng.normal(scale=1.0, size=days)
    return np.stack([temperature, daylight, wind, weekday, price], axis=1), load[:, None]


def halves(seed):
    """Several years; the winter half of each for training, the summer half for the test."""
    features, loads = zip(*(year(seed + number) for number in range(6)), strict=True)
    features, loads = np.concatenate(features), np.concatenate(loads)
    day = np.arange(len(features)) % 365
    summer = (day > 110) & (day < 260)
    return (features[~summer], loads[~summer]), (features[summer], loads[summer])


def prepare(train, test):
    feature_scaler, load_scaler = MinMaxScaler(), MinMaxScaler()
    x_train = feature_scaler.fit_transform(train[0])
    y_train = load_scaler.fit_transform(train[1])
    x_test = feature_scaler.fit_transform(test[0])
    y_test = load_scaler.transform(test[1])
    return (x_train, y_train), (x_test, y_test), load_scaler


def build():
    model = keras.Sequential(
        [
            keras.Input((len(FEATURES),)),
            layers.Dense(32, activation="relu"),
            layers.Dense(16, activation="relu"),
            layers.Dense(1),
        ]
    )
    model.compile(optimizer=keras.optimizers.Adam(3e-3), loss="mse", metrics=["mae"])
    return model


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    keras.utils.set_random_seed(seed)
    (x_train, y_train), (x_test, y_test), load_scaler = prepare(*halves(seed))
    model = build()
    history = model.fit(
        x_train,
        y_train,
        batch_size=32,
        epochs=30,
        validation_data=(x_test, y_test),
        verbose=0,
    ).history
    for epoch in range(0, 30, 5):
        print(f"epoch {epoch}: loss {history['loss'][epoch]:.5f}, val_loss {history['val_loss'][epoch]:.5f}")
    forecast = load_scaler.inverse_transform(model.predict(x_test, verbose=0))
    error = np.abs(forecast - load_scaler.inverse_transform(y_test)).mean()
    print(f"mean error on the summer half {error:.2f} GW")


if __name__ == "__main__":
    main()
