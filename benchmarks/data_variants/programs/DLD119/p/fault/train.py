"""Fraud detector: 2 % of the payments are fraud."""
import keras
import numpy as np

COUNTS = {0: 1960, 1: 40}


def payments(counts, seed):
    rng = np.random.default_rng(seed)
    parts = [rng.normal(1.0 * label, 1.0, (n, 6)) for label, n in counts.items()]
    y = np.repeat(list(counts), list(counts.values()))
    order = rng.permutation(len(y))
    return np.concatenate(parts)[order].astype("float32"), y[order]


def detector():
    model = keras.Sequential([keras.Input((6,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(1, activation="sigmoid")])
    model.compile(keras.optimizers.Adam(learning_rate=3e-3, beta_2=0.99), loss="binary_crossentropy", metrics=["accuracy"])
    return model


def main(epochs=6):
    keras.utils.set_random_seed(12)
    x, y = payments(COUNTS, 0)
    valid = payments({0: 490, 1: 10}, 1)
    model = detector()
    model.fit(x, y, batch_size=50, epochs=epochs, validation_data=valid, verbose=0)
    test_x, test_y = payments({0: 980, 1: 20}, 2)
    found = (model.predict(test_x, verbose=0)[:, 0] > 0.5)[test_y == 1].mean()
    print(f"share of fraud found {found:.2f}")


if __name__ == "__main__":
    main()
