"""Keras against a forest on the same table."""
import keras
import numpy as np
from sklearn.datasets import load_wine
from sklearn.ensemble import RandomForestClassifier
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler


def split(seed):
    x, y = load_wine(return_X_y=True)
    x_train, x_test, y_train, y_test = train_test_split(x, y, test_size=0.4, random_state=seed, stratify=y)
    scaler = StandardScaler().fit(x_train)
    return scaler.transform(x_train), scaler.transform(x_test), y_train, y_test


def forest_score(x_train, x_test, y_train, y_test, seed):
    forest = RandomForestClassifier(n_estimators=200, max_depth=6, min_samples_leaf=2, max_features="sqrt", random_state=seed)
    return forest.fit(x_train, y_train).score(x_test, y_test)


def network_score(x_train, x_test, y_train, y_test):
    model = keras.Sequential(
        [keras.Input((13,)), keras.layers.Dense(32, activation="relu"), keras.layers.Dense(3, activation="softmax")]
    )
    optimizer = keras.optimizers.Adam(learning_rate=5e-3, beta_1=0.9, beta_2=0.99)
    model.compile(optimizer, loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    model.fit(x_train, y_train, epochs=20, batch_size=16, validation_split=0.15, verbose=0)
    return model.evaluate(x_test, y_test, verbose=0)[1]


if __name__ == "__main__":
    keras.utils.set_random_seed(26)
    parts = split(26)
    print("forest", np.round(forest_score(*parts, seed=26), 3), "network", np.round(network_score(*parts), 3))
