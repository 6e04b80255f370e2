"""Ablation of the width, each variant trained from the same seed."""
import numpy as np
import tensorflow as tf


def reset(seed):
    tf.keras.backend.clear_session()
    tf.keras.utils.set_random_seed(seed)
    tf.config.experimental.enable_op_determinism()


def variant(width, x, y):
    net = tf.keras.Sequential(
        [
            tf.keras.Input((10, 10, 1)),
            tf.keras.layers.Conv2D(width, 3, activation="relu"),
            tf.keras.layers.GlobalMaxPooling2D(),
            tf.keras.layers.Dense(2),
        ]
    )
    net.compile(
        optimizer=tf.keras.optimizers.Adam(0.01),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    return net.fit(x, y, epochs=2, batch_size=16, verbose=0).history["loss"][-1]


def main(seed=7):
    rng = np.random.default_rng(seed)
    x = rng.random((48, 10, 10, 1)).astype("float32")
    y = (x.max(axis=(1, 2, 3)) > 0.99).astype("int32")
    results = {}
    for width in (2, 8):
        reset(seed)
        results[width] = variant(width, x, y)
    for width, loss in results.items():
        print(f"width {width}: {loss:.3f}")


if __name__ == "__main__":
    main()
