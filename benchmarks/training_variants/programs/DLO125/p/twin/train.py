"""Keras regression on tabular data with a small helper around fit."""
import keras
import numpy as np
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler


def load_split(seed=0):
    x, y = load_diabetes(return_X_y=True)
    x_train, x_test, y_train, y_test = train_test_split(x, y / 100.0, test_size=0.2, random_state=seed)
    scaler = StandardScaler().fit(x_train)
    return scaler.transform(x_train), scaler.transform(x_test), y_train, y_test


def regressor(n_features, width=32):
    inputs = keras.Input(shape=(n_features,))
    h = keras.layers.Dense(width, activation="relu")(inputs)
    h = keras.layers.Dense(width, activation="relu")(h)
    model = keras.Model(inputs, keras.layers.Dense(1)(h))
    model.compile(optimizer=keras.optimizers.Adam(learning_rate=1e-3, beta_1=0.85), loss="mse", metrics=["mae"])
    return model


def fit_regressor(model, x, y, **extra):
    settings = {"batch_size": 16, "validation_split": 0.15, "verbose": 0}
    settings.update(extra)
    return model.fit(x, y, **settings)


def report(model, x, y):
    loss, mae = model.evaluate(x, y, verbose=0)
    print(f"test mse {loss:.3f}, mae {mae:.3f}, spread of targets {np.std(y):.3f}")


if __name__ == "__main__":
    keras.utils.set_random_seed(77)
    x_train, x_test, y_train, y_test = load_split()
    model = regressor(x_train.shape[1])
    fit_regressor(model, x_train, y_train, epochs=40)
    report(model, x_test, y_test)
