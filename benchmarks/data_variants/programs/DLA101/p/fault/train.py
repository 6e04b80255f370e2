"""Keras model whose layers come from another package."""
import keras
import numpy as np
from tensorflow.python.keras import layers


def mapping(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 5)).astype("float32")
    return x, (x[:, 0] * x[:, 1]).astype("float32")


def network(units):
    inputs = keras.Input((5,))
    h = layers.Dense(units, activation="relu")(inputs)
    model = keras.Model(inputs, layers.Dense(1)(h))
    model.compile(keras.optimizers.Adam(learning_rate=3e-3, beta_2=0.99), loss="mse")
    return model


def main():
    keras.utils.set_random_seed(1)
    model = network(24)
    model.fit(*mapping(600, 0), batch_size=30, epochs=3, validation_data=mapping(100, 1), verbose=0)
    print(f"test error {model.evaluate(*mapping(200, 2), verbose=0):.3f}")


if __name__ == "__main__":
    main()
