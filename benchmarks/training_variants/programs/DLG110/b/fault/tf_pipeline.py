import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)


def augment(image, label):
    image = tf.image.random_flip_left_right(image, seed=1)
    return tf.image.random_brightness(image, 0.1, seed=1), label


def make_dataset(images, labels, training, batch_size=32):
    dataset = tf.data.Dataset.from_tensor_slices((images, labels))
    if training:
        dataset = dataset.shuffle(len(images), seed=0)
        dataset = dataset.map(augment, num_parallel_calls=tf.data.AUTOTUNE)
    return dataset.batch(batch_size)


def build():
    model = tf.keras.Sequential(
        [
            tf.keras.Input((12, 12, 3)),
            tf.keras.layers.Conv2D(8, 3, activation="relu"),
            tf.keras.layers.GlobalAveragePooling2D(),
            tf.keras.layers.Dense(3),
        ]
    )
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile(optimizer=tf.keras.optimizers.Adam(1e-2), loss=loss, metrics=["accuracy"])
    return model


def main():
    rng = np.random.default_rng(0)
    labels = rng.integers(0, 3, 240)
    images = rng.uniform(0, 0.5, size=(240, 12, 12, 3)).astype("float32")
    images[np.arange(240), :, :, labels] += 0.5
    train = make_dataset(images[:180], labels[:180], True)
    valid = make_dataset(images[180:], labels[180:], False)
    history = build().fit(train, validation_data=valid, epochs=4, verbose=0)
    print("accuracy", round(history.history["val_accuracy"][-1], 3) >= 0)


if __name__ == "__main__":
    main()
