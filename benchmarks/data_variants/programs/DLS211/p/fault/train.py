"""Keras deep regressor for engine data."""
import keras
import numpy as np


ACTIVATION = "sigmoid"


def engine(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-1, 1, (n, 6)).astype("float32")
    return x, (np.sin(3 * x[:, 0]) * x[:, 1] + x[:, 2]).astype("float32")


def deep(depth, width):
    h = inputs = keras.Input((6,))
    for _ in range(depth):
        h = keras.layers.Dense(width, activation=ACTIVATION)(h)
    model = keras.Model(inputs, keras.layers.Dense(1)(h))
    model.compile(keras.optimizers.Adam(learning_rate=2e-3, beta_2=0.99), loss="mse")
    return model


def main(epochs=10):
    keras.utils.set_random_seed(13)
    model = deep(depth=7, width=32)
    model.fit(*engine(1200, 0), batch_size=40, epochs=epochs, validation_data=engine(300, 1), verbose=0)
    x, y = engine(400, 2)
    print(f"test error {model.evaluate(x, y, verbose=0):.4f}, variance {y.var():.4f}")


if __name__ == "__main__":
    main()
