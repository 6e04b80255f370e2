"""Score customers one row at a time."""

import keras
import numpy as np
from keras import layers


def build_model(width):
    model = keras.Sequential(
        [
            keras.Input((width,)),
            layers.Dense(16, activation="relu"),
            layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile(optimizer="adam", loss="binary_crossentropy")
    return model


class Scorer:
    def __init__(self, model):
        self.model = model

    def score(self, row):
        return float(self.model.predict(row[None, :], verbose=0)[0, 0])

    def score_all(self, rows):
        scores = []
        for row in rows:
            scores.append(self.score(row))
        return scores


def main():
    keras.utils.set_random_seed(0)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(300, 6)).astype("float32")
    y = (x[:, 0] > x[:, 1]).astype("float32")
    model = build_model(6)
    model.fit(x[:250], y[:250], epochs=10, batch_size=25, verbose=0)
    scores = Scorer(model).score_all(x[250:])
    top = sorted(range(len(scores)), key=scores.__getitem__, reverse=True)[:5]
    print("best rows", top, "mean score", round(sum(scores) / len(scores), 4))


if __name__ == "__main__":
    main()
