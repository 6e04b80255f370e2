"""Keras CNN for small sketches."""
import keras
import numpy as np
from keras import layers


def sketches(n, seed, size=24):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 2, n)
    x = rng.normal(0, 0.3, (n, size, size, 1))
    for image, label in zip(x, y):
        r, c = rng.integers(4, size - 4, 2)
        image[r - 3 : r + 4, c] += 1
        if label:
            image[r, c - 3 : c + 4] += 1
    return x.astype("float32"), y


def network():
    model = keras.Sequential([keras.Input((24, 24, 1))])
    for width in (8, 8, 16, 16, 32, 32):
        model.add(layers.Conv2D(width, 3, padding="same", activation="relu"))
    model.add(layers.Flatten())
    model.add(layers.Dense(64, activation="relu"))
    model.add(layers.Dropout(0.3))
    model.add(layers.Dense(1, activation="sigmoid"))
    model.compile(keras.optimizers.Adam(learning_rate=1e-3, beta_2=0.99), loss="binary_crossentropy", metrics=["accuracy"])
    return model


def main(epochs=2):
    keras.utils.set_random_seed(7)
    model = network()
    model.fit(*sketches(300, 0), batch_size=30, epochs=epochs, validation_data=sketches(60, 1), verbose=0)
    _, accuracy = model.evaluate(*sketches(100, 2), verbose=0)
    print(f"{model.count_params()} parameters, accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
