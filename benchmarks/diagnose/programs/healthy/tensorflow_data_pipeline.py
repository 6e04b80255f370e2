"""fit on a tf.data pipeline that shuffles, augments and prefetches, as in the TensorFlow guide on tf.data."""
# backend: tensorflow

import sys

import keras
import numpy as np
import tensorflow as tf
from keras import layers

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
random = np.random.default_rng(seed)
labels = random.integers(0, 3, 900)
images = np.zeros((900, 12, 12, 1), dtype="float32")
for image, label in zip(images, labels, strict=True):
    top, left = random.integers(1, 6, 2)
    if label:
        image[top : top + 5, left : left + 5] = 200.0
    if label == 2:
        image[top + 1 : top + 4, left + 1 : left + 4] = 0.0
images += random.uniform(0, 55, images.shape)
images = images.astype("uint8")


def augment(image, label):
    image = tf.image.random_flip_left_right(tf.cast(image, tf.float32) / 255.0)
    return tf.image.random_brightness(image, 0.1), label


train = tf.data.Dataset.from_tensor_slices((images[:750], labels[:750]))
train = train.shuffle(750, seed=seed).map(augment, num_parallel_calls=tf.data.AUTOTUNE).batch(32).prefetch(tf.data.AUTOTUNE)
test = tf.data.Dataset.from_tensor_slices((images[750:].astype("float32") / 255.0, labels[750:])).batch(50)
model = keras.Sequential(
    [
        layers.Input((12, 12, 1)),
        layers.Conv2D(16, 3, activation="relu"),
        layers.Conv2D(16, 3, activation="relu"),
        layers.GlobalMaxPooling2D(),
        layers.Dense(3, activation="softmax"),
    ]
)
model.compile(optimizer=keras.optimizers.Nadam(3e-3), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
model.fit(train, epochs=6, validation_data=test, verbose=2)
assert model.evaluate(test, verbose=0)[1] > 0.85
