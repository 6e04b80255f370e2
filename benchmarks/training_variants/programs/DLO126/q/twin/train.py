"""Keras multi-output model; the weighted loss object for the rare class is prepared up front."""
import argparse

import keras
import numpy as np
from keras import layers


def alarms(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 10)).astype("float32")
    rare = (x[:, 0] + x[:, 1] + rng.normal(0, 0.3, n) > 2.6).astype("float32")
    return x, rare


def build():
    inputs = keras.Input((10,))
    h = layers.Dense(32, activation="relu")(inputs)
    h = layers.Dropout(0.1)(h)
    return keras.Model(inputs, layers.Dense(1, activation="sigmoid")(h))


def recall(model, x, y):
    guess = model.predict(x, verbose=0)[:, 0] > 0.5
    return float((guess & (y > 0.5)).sum() / max(1, (y > 0.5).sum()))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--alpha", type=float, default=0.9)
    parser.add_argument("--gamma", type=float, default=1.0)
    parser.add_argument("--epochs", type=int, default=5)
    args = parser.parse_args()
    keras.utils.set_random_seed(27)
    focal = keras.losses.BinaryFocalCrossentropy(apply_class_balancing=True, alpha=args.alpha, gamma=args.gamma)
    model = build()
    model.compile(
        optimizer=keras.optimizers.Adam(learning_rate=3e-3, beta_2=0.99),
        loss=focal,
        metrics=[keras.metrics.AUC(name="auc")],
    )
    model.fit(*alarms(2000, 0), batch_size=50, epochs=args.epochs, validation_data=alarms(500, 1), verbose=0)
    x, y = alarms(1000, 2)
    print(f"share of alarms {y.mean():.3f}, recall {recall(model, x, y):.3f}")


if __name__ == "__main__":
    main()
