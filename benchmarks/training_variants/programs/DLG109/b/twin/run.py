import numpy as np
import tensorflow as tf

from augment import Augmenter


def build():
    model = tf.keras.Sequential(
        [
            tf.keras.Input((8, 8, 1)),
            tf.keras.layers.Conv2D(8, 3, activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dense(2),
        ]
    )
    model.compile(
        optimizer=tf.keras.optimizers.Adam(1e-2),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    return model


def main():
    tf.keras.utils.set_random_seed(0)
    labels = np.arange(64) % 2
    images = np.random.uniform(0, 0.5, size=(64, 8, 8, 1)).astype("float32") + 0.4 * labels[:, None, None, None].astype("float32")
    augment, model = Augmenter(0.1), build()
    for _ in range(3):
        for start in range(0, 64, 16):
            batch = augment(tf.constant(images[start : start + 16]))
            loss = model.train_on_batch(batch, labels[start : start + 16])
    twice = [augment(tf.constant(images[:16])).numpy() for _ in range(2)]
    print(f"loss {float(loss):.3f} noise differs: {not np.array_equal(*twice)}")


if __name__ == "__main__":
    main()
