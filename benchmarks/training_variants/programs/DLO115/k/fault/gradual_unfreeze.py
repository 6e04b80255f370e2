import argparse

import numpy as np
import tensorflow as tf


def make_model(n_features):
    return tf.keras.Sequential(
        [
            tf.keras.Input((n_features,)),
            tf.keras.layers.Dense(24, activation="relu", name="low"),
            tf.keras.layers.Dense(16, activation="relu", name="middle"),
            tf.keras.layers.Dense(1, activation="sigmoid", name="top"),
        ]
    )


def unfreeze_in_stages(model, x, y, stages, lr):
    for layer in model.layers:
        layer.trainable = layer.name == stages[0]
    model.compile(optimizer=tf.keras.optimizers.Adam(lr), loss="binary_crossentropy")
    model.fit(x, y, epochs=2, batch_size=32, verbose=0)
    for i, name in enumerate(stages[1:], start=1):
        layer = model.get_layer(name)
        before = layer.get_weights()[0].copy()
        layer.trainable = True
        history = model.fit(x, y, epochs=2, batch_size=32, verbose=0)
        changed = np.abs(layer.get_weights()[0] - before).sum() > 0
        print(f"stage {name}: loss {history.history['loss'][-1]:.4f} changed {changed}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--lr", type=float, default=0.01)
    args = parser.parse_args()
    tf.keras.utils.set_random_seed(3)
    x = np.random.normal(size=(160, 10)).astype("float32")
    y = (x[:, 0] * x[:, 1] > 0).astype("float32")
    unfreeze_in_stages(make_model(10), x, y, ["top", "middle", "low"], args.lr)


if __name__ == "__main__":
    main()
