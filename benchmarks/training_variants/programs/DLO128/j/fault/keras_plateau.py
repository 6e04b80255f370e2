import argparse

import keras
import numpy as np
from keras import layers


def residual_mlp(features, width=24, depth=2):
    inputs = keras.Input((features,))
    x = layers.Dense(width)(inputs)
    for _ in range(depth):
        y = layers.LayerNormalization()(x)
        y = layers.Dense(width, activation="gelu")(y)
        x = layers.Add()([x, y])
    return keras.Model(inputs, layers.Dense(1, activation="sigmoid")(x))


def callbacks(patience):
    plateau = keras.callbacks.ReduceLROnPlateau(factor=0.2, patience=patience, min_lr=1e-5)
    return [plateau, keras.callbacks.TerminateOnNaN()]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--patience", type=int, default=1)
    parser.add_argument("--epochs", type=int, default=8)
    args = parser.parse_args()
    keras.utils.set_random_seed(3)
    x = np.random.randn(300, 10).astype("float32")
    y = (np.random.rand(300) < 1 / (1 + np.exp(-x[:, 0]))).astype("float32")
    model = residual_mlp(10)
    model.compile(keras.optimizers.Adam(5e-3), loss="binary_crossentropy", metrics=["accuracy"])
    model.fit(x[:240], y[:240], epochs=args.epochs, verbose=0, callbacks=callbacks(args.patience))
    print("rate at the end", float(model.optimizer.learning_rate))


if __name__ == "__main__":
    main()
