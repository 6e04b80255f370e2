"""Tabular regression with columns scaled to standard scores.

Follows the reports of a loss that is NaN from the first step because one column of the table is constant.
"""

import keras
import numpy as np
from keras import layers


def standard_scores(features):
    mean = features.mean(axis=0)
    deviation = features.std(axis=0)
    deviation = np.where(deviation == 0, 1.0, deviation)
    return (features - mean) / deviation


def regressor(columns):
    model = keras.Sequential([
        layers.Input((columns,)),
        layers.Dense(32, activation="relu"),
        layers.Dense(1),
    ])
    model.compile(optimizer="adam", loss="mse")
    return model


def train(features, targets, epochs=5):
    scaled = standard_scores(features.astype("float32"))
    model = regressor(scaled.shape[1])
    model.fit(scaled, targets, epochs=epochs, verbose=0)
    return model, scaled


if __name__ == "__main__":
    table = np.loadtxt("housing.csv", delimiter=",", skiprows=1)
    train(table[:, :-1], table[:, -1])
