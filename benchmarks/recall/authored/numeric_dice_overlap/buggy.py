"""The Dice loss of a segmentation network.

Follows the reports of NaN Dice losses for slices without any foreground.
"""

import tensorflow as tf
from tensorflow.keras import layers


def segmentation_network(size=32):
    inputs = layers.Input((size, size, 1))
    x = layers.Conv2D(16, 3, padding="same", activation="relu")(inputs)
    x = layers.Conv2D(16, 3, padding="same", activation="relu")(x)
    return tf.keras.Model(inputs, layers.Conv2D(1, 1, activation="sigmoid")(x))


def dice_loss(y_true, y_pred):
    y_true = tf.cast(y_true, tf.float32)
    intersection = tf.reduce_sum(y_true * y_pred, axis=[1, 2, 3])
    total = tf.reduce_sum(tf.square(y_true), axis=[1, 2, 3]) + tf.reduce_sum(tf.square(y_pred), axis=[1, 2, 3])
    return tf.reduce_mean(1.0 - 2.0 * intersection / total)


def step(model, images, masks):
    with tf.GradientTape() as tape:
        loss = dice_loss(masks, model(images, training=True))
    return loss, tape.gradient(loss, model.trainable_variables)


if __name__ == "__main__":
    print(step(segmentation_network(), tf.random.uniform((2, 32, 32, 1)), tf.ones((2, 32, 32, 1)))[0])
