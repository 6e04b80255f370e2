import numpy as np
import tensorflow as tf

import pipeline


def convnet():
    return tf.keras.Sequential(
        [
            tf.keras.layers.Input((14, 14, 1)),
            tf.keras.layers.Conv2D(8, 3, activation="relu"),
            tf.keras.layers.GlobalMaxPooling2D(),
            tf.keras.layers.Dense(3),
        ]
    )


def main():
    tf.keras.utils.set_random_seed(6)
    images = np.random.randint(0, 256, (60, 28, 28, 1), dtype=np.uint8)
    labels = np.arange(60) % 3
    train = pipeline.make_dataset(images, labels, 15)
    model = convnet()
    model.compile(
        optimizer=tf.keras.optimizers.Adam(0.01),
        loss=tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    history = model.fit(train, epochs=2, verbose=0)
    print("loss", [round(v, 3) for v in history.history["loss"]])


if __name__ == "__main__":
    main()
