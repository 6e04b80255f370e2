import keras
import numpy as np

from architecture import build_model

WEIGHTS = "risk.weights.h5"


def train_and_save(x, y):
    model = build_model(x.shape[1])
    model.fit(x, y, epochs=15, batch_size=16, verbose=0)
    model.save_weights(WEIGHTS)
    return model.predict(x, verbose=0)


def load_for_serving(n_features):
    model = build_model(n_features)
    model.load_weights(WEIGHTS)
    model = build_model(n_features)
    return model


if __name__ == "__main__":
    keras.utils.set_random_seed(30)
    x = np.random.randn(96, 6).astype("float32")
    y = (x[:, 0] + x[:, 1] > 0).astype("float32")
    expected = train_and_save(x, y)
    served = load_for_serving(6).predict(x, verbose=0)
    print("max difference %.5f" % np.abs(expected - served).max())
