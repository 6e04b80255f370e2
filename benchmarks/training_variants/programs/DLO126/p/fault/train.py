"""Keras: autoencoder for anomaly scores with a hand-tuned optimizer and a decaying rate."""
import argparse

import keras
import numpy as np


def normal_traffic(n, seed):
    rng = np.random.default_rng(seed)
    latent = rng.normal(size=(n, 3))
    mix = np.random.default_rng(0).normal(size=(3, 15))
    return np.tanh(latent @ mix / 3).astype("float32") + rng.normal(0, 0.02, (n, 15)).astype("float32")


def autoencoder(width, code):
    return keras.Sequential(
        [
            keras.Input((15,)),
            keras.layers.Dense(width, activation="elu"),
            keras.layers.Dense(code),
            keras.layers.Dense(width, activation="elu"),
            keras.layers.Dense(15),
        ]
    )


def configure(model, args, steps):
    rate = keras.optimizers.schedules.CosineDecay(args.lr, decay_steps=steps, alpha=0.05)
    opt = keras.optimizers.SGD(learning_rate=rate, momentum=0.95, nesterov=True)
    model.compile(optimizer="sgd", loss="mse")
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.1)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--batch", type=int, default=32)
    args = parser.parse_args()
    keras.utils.set_random_seed(3)
    train, valid = normal_traffic(1600, 1), normal_traffic(400, 2)
    model = configure(autoencoder(32, 4), args, steps=args.epochs * (len(train) // args.batch))
    model.fit(train, train, batch_size=args.batch, epochs=args.epochs, validation_data=(valid, valid), verbose=0)
    print(f"validation error {model.evaluate(valid, valid, verbose=0):.5f}")


if __name__ == "__main__":
    main()
