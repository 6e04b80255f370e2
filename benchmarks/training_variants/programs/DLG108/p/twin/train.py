"""Pick the width of a Keras model by a small grid search."""
import gc

import keras
import numpy as np
from sklearn.datasets import load_iris
from sklearn.model_selection import train_test_split

SEED = 5


def split():
    x, y = load_iris(return_X_y=True)
    x_train, x_valid, y_train, y_valid = train_test_split(x, y, test_size=0.4, random_state=SEED, stratify=y)
    mean, std = x_train.mean(axis=0), x_train.std(axis=0)
    return (x_train - mean) / std, (x_valid - mean) / std, y_train, y_valid


def create_model(units, rate):
    model = keras.Sequential(
        [
            keras.Input((4,)),
            keras.layers.Dense(units, activation="relu"),
            keras.layers.Dropout(rate),
            keras.layers.Dense(units, activation="relu"),
            keras.layers.Dense(3, activation="softmax"),
        ]
    )
    model.compile(keras.optimizers.Adam(learning_rate=5e-3, beta_2=0.99), "sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def search(grid, epochs):
    x_train, x_valid, y_train, y_valid = split()
    scores = {}
    for units, rate in grid:
        keras.backend.clear_session()
        model = create_model(units, rate)
        history = model.fit(x_train, y_train, epochs=epochs, batch_size=15, validation_data=(x_valid, y_valid), verbose=0)
        scores[units, rate] = max(history.history["val_accuracy"])
    return scores


def main():
    keras.utils.set_random_seed(SEED)
    grid = [(units, rate) for units in (8, 32) for rate in (0.0, 0.2)]
    scores = search(grid, epochs=5)
    best = max(scores, key=scores.get)
    alive = sum(type(o).__name__ == "Sequential" for o in gc.get_objects())
    print("best", best, np.round(scores[best], 3), "models alive", alive)


if __name__ == "__main__":
    main()
