"""Keras model factory whose optimizer options come from a dict."""
import keras
import numpy as np

OPTIMIZER = {"lr": 2e-3, "rho": 0.9}


def wave(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.uniform(-3, 3, (n, 1)).astype("float32")
    return x, np.sin(2 * x).astype("float32")


def factory(hidden):
    inputs = keras.Input((1,))
    h = inputs
    for units in hidden:
        h = keras.layers.Dense(units, activation="tanh")(h)
    model = keras.Model(inputs, keras.layers.Dense(1)(h))
    model.compile(optimizer=keras.optimizers.RMSprop(**OPTIMIZER), loss="mse")
    return model


def main():
    keras.utils.set_random_seed(3)
    model = factory([32, 32])
    model.fit(*wave(800, 0), batch_size=40, epochs=4, validation_data=wave(200, 1), verbose=0)
    print(f"test error {model.evaluate(*wave(200, 2), verbose=0):.4f}")


if __name__ == "__main__":
    main()
