import keras
import numpy as np

keras.utils.set_random_seed(5)


class Ranker:
    """Scores documents for a query with a small two-layer network."""

    def __init__(self, features):
        self.net = keras.Sequential([
            keras.Input((features,)),
            keras.layers.Dense(16, activation="relu"),
            keras.layers.Dense(1),
        ])
        self.net.compile(optimizer="adam", loss="mse")

    def fit(self, x, y):
        self.net.fit(x, y, epochs=3, batch_size=32, verbose=0)
        return self

    def order(self, documents):
        scores = self.net.predict(documents, verbose=0)[:, 0]
        return np.argsort(scores)[::-1]


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    x = rng.normal(size=(96, 6)).astype("float32")
    y = x @ rng.normal(size=(6, 1)).astype("float32")
    ranker = Ranker(6).fit(x, y)
    print(ranker.order(x[:24])[:5])
