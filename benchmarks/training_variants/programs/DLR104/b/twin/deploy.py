import keras
import numpy as np
from keras import layers

from store import ModelStore


def build():
    model = keras.Sequential([keras.Input((5,)), layers.Dense(12, activation="relu"), layers.Dense(1)])
    model.compile(optimizer="adam", loss="mse")
    return model


def main():
    keras.utils.set_random_seed(0)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(200, 5)).astype("float32")
    y = x.sum(axis=1, keepdims=True)
    store = ModelStore("models", "sum_of_five")
    model = build()
    model.fit(x, y, epochs=10, batch_size=20, verbose=0)
    store.save(model)
    restored = store.load(build())
    print("same predictions:", np.allclose(model.predict(x, verbose=0), restored.predict(x, verbose=0)))


if __name__ == "__main__":
    main()
