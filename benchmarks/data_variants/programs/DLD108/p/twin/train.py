"""Keras: train a price model and save it for the web shop."""
import keras
import numpy as np


def offers(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 9)).astype("float32")
    return x, (x[:, 0] - 0.5 * x[:, 1] + np.abs(x[:, 2]) + rng.normal(0, 0.2, n)).astype("float32")


def price_model():
    inputs = keras.Input((9,))
    h = keras.layers.Dense(32, activation="relu")(inputs)
    h = keras.layers.Dense(16, activation="relu")(h)
    model = keras.Model(inputs, keras.layers.Dense(1)(h))
    model.compile(keras.optimizers.Adam(learning_rate=4e-3, beta_1=0.85), loss="mae")
    return model


def main(epochs=10):
    keras.utils.set_random_seed(2)
    x, y = offers(1500, 0)
    model = price_model()
    history = model.fit(x, y, batch_size=50, epochs=epochs, validation_data=offers(400, 1), verbose=0)
    print(f"training error {history.history['loss'][-1]:.3f}, validation error {history.history['val_loss'][-1]:.3f}")
    model.save("prices.keras")


if __name__ == "__main__":
    main()
