import argparse

import numpy as np
import tensorflow as tf


def make_schedule(initial, steps, rate):
    return tf.keras.optimizers.schedules.ExponentialDecay(initial, decay_steps=steps, decay_rate=rate, staircase=True)


def network(inputs, outputs):
    return tf.keras.Sequential(
        [
            tf.keras.Input((inputs,)),
            tf.keras.layers.Dense(32, activation="swish"),
            tf.keras.layers.Dense(32, activation="swish"),
            tf.keras.layers.Dense(outputs),
        ]
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--initial-rate", type=float, default=0.02)
    parser.add_argument("--decay", type=float, default=0.3)
    parser.add_argument("--epochs", type=int, default=4)
    args = parser.parse_args()
    tf.keras.utils.set_random_seed(1)
    x = np.random.uniform(-1, 1, (256, 3)).astype("float32")
    y = np.sin(3 * x[:, :1]) * x[:, 1:2]
    model = network(3, 1)
    schedule = make_schedule(args.initial_rate, steps=8, rate=args.decay)
    optimizer = tf.keras.optimizers.RMSprop(learning_rate=schedule)
    model.compile(optimizer, loss="mae")
    history = model.fit(x, y, batch_size=32, epochs=args.epochs, verbose=0)
    print([round(v, 4) for v in history.history["loss"]], float(optimizer.learning_rate) < 0.005)


if __name__ == "__main__":
    main()
