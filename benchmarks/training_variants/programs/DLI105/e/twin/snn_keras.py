import keras
import numpy as np
from keras import layers


def self_normalizing_net(n_features, depth=8, width=64):
    model = keras.Sequential(name="snn")
    model.add(keras.Input((n_features,)))
    for _ in range(depth):
        model.add(layers.Dense(width, activation="selu", kernel_initializer="lecun_normal"))
        model.add(layers.AlphaDropout(0.05))
    model.add(layers.Dense(1, activation="sigmoid"))
    return model


def tox_like(n=300, d=20):
    rng = np.random.default_rng(8)
    x = rng.normal(size=(n, d)).astype("float32")
    y = ((x[:, 0] * x[:, 1] > 0) & (x[:, 2] > -0.5)).astype("float32")
    return x, y


if __name__ == "__main__":
    keras.utils.set_random_seed(8)
    x, y = tox_like()
    x = (x - x.mean(0)) / x.std(0)
    net = self_normalizing_net(x.shape[1])
    net.compile(keras.optimizers.SGD(learning_rate=0.01), "binary_crossentropy", metrics=["auc"])
    log = net.fit(x[:240], y[:240], validation_data=(x[240:], y[240:]), epochs=4, batch_size=32, verbose=0)
    print({k: round(v[-1], 4) for k, v in log.history.items()})
