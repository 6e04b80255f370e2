import keras
import numpy as np
from sklearn.model_selection import KFold


def credit(n=120):
    rng = np.random.default_rng(1)
    x = rng.normal(size=(n, 8)).astype("float32")
    return x, (x[:, 0] - x[:, 3] > 0).astype("float32")


def network(width):
    model = keras.models.Sequential()
    model.add(keras.layers.Input((width,)))
    model.add(keras.layers.Dense(12, activation="relu"))
    model.add(keras.layers.Dense(1, activation="sigmoid"))
    model.compile(optimizer=keras.optimizers.Adam(0.01), loss="binary_crossentropy", metrics=["accuracy"])
    return model


def cross_validate(x, y, folds):
    scores = []
    for train, test in KFold(folds, shuffle=True, random_state=0).split(x):
        keras.utils.set_random_seed(0)
        model = network(x.shape[1])
        model.fit(x[train], y[train], epochs=2, batch_size=20, verbose=0)
        scores.append(model.evaluate(x[test], y[test], verbose=0)[1])
    return scores


if __name__ == "__main__":
    x, y = credit()
    scores = cross_validate(x, y, folds=3)
    print("accuracy", np.round(scores, 3), "mean %.3f" % np.mean(scores))
