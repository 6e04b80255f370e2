import numpy as np
from keras import Model, Sequential, layers, utils


class AnomalyDetector(Model):
    def __init__(self, width, code):
        super().__init__()
        init = "glorot_normal"
        self.encoder = Sequential(
            [
                layers.Dense(32, activation="tanh", kernel_initializer=init),
                layers.Dense(code, activation="tanh", kernel_initializer=init),
            ]
        )
        self.decoder = Sequential(
            [layers.Dense(32, activation="tanh", kernel_initializer=init), layers.Dense(width)]
        )

    def call(self, x):
        return self.decoder(self.encoder(x))


def sensor(n, width=40, broken=False):
    phase = np.random.rand(n, 1) * 6.28
    x = np.sin(np.linspace(0, 6.28, width) + phase)
    if broken:
        x += np.random.randn(n, width)
    return x.astype("float32")


if __name__ == "__main__":
    utils.set_random_seed(2)
    normal, broken = sensor(128), sensor(32, broken=True)
    detector = AnomalyDetector(40, 4)
    detector.compile(optimizer="adam", loss="mae")
    detector.fit(normal, normal, epochs=6, batch_size=32, verbose=0)
    for name, x in (("normal", normal), ("broken", broken)):
        error = np.abs(detector.predict(x, verbose=0) - x).mean()
        print(f"{name}: {error:.5f}")
