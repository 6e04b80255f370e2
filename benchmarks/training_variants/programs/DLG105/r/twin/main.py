import keras
import numpy as np

from score import score_all


def main():
    keras.utils.set_random_seed(0)
    x = np.random.normal(size=(60, 6)).astype("float32")
    y = x.sum(axis=1, keepdims=True)
    model = keras.Sequential([keras.Input((6,)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1)])
    model.compile(optimizer="adam", loss="mse")
    model.fit(x, y, epochs=2, verbose=0)
    print(score_all(model, x[:10]).mean())


if __name__ == "__main__":
    main()
