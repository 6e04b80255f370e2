"""Galaxy or star, on synthetic stamps."""
import keras
import numpy as np


def stamps(n, size=12):
    r = np.hypot(*np.mgrid[-1 : 1 : size * 1j, -1 : 1 : size * 1j])
    width = np.where(np.arange(n) % 2, 0.5, 0.2)[:, None, None]
    image = np.exp(-((r / width) ** 2)) + 0.1 * np.random.randn(n, size, size)
    return image[..., None].astype("float32"), np.arange(n) % 2


class StarGalaxy:
    def __init__(self):
        self.net = keras.Sequential(
            [
                keras.Input((12, 12, 1)),
                keras.layers.Conv2D(4, 3, activation="relu"),
                keras.layers.Flatten(),
                keras.layers.Dense(1, activation="sigmoid"),
            ]
        )
        self.net.compile(
            optimizer=keras.optimizers.SGD(learning_rate=0.05, momentum=0.9),
            loss="binary_crossentropy",
            metrics=["accuracy"],
        )

    def fit(self, x, y):
        self.net.fit(x, y, epochs=3, batch_size=16, verbose=0)
        return self

    def report(self, x, y):
        loss, accuracy = self.net.evaluate(x, y, verbose=0)
        return f"loss {loss:.4f} accuracy {accuracy:.3f}"


if __name__ == "__main__":
    keras.utils.set_random_seed(1)
    x, y = stamps(160)
    print(StarGalaxy().fit(x[:120], y[:120]).report(x[120:], y[120:]))
