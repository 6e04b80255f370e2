"""Predict the next value of a noisy series with an LSTM and a custom loop."""
import numpy as np
import tensorflow as tf

CLIP = 0.1


def windows(series, length):
    x = np.stack([series[i : i + length] for i in range(len(series) - length)])
    return x[..., None].astype("float32"), series[length:].astype("float32")[:, None]


def make_model(length):
    inputs = tf.keras.Input((length, 1))
    h = tf.keras.layers.LSTM(12)(inputs)
    return tf.keras.Model(inputs, tf.keras.layers.Dense(1)(h))


def fit(model, x, y, epochs, lr):
    opt = tf.keras.optimizers.SGD(lr)
    weights = model.trainable_variables
    for epoch in range(epochs):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
        grads = tape.gradient(loss, weights)
        grads = [tf.clip_by_norm(g, CLIP) for g in grads]
        opt.apply_gradients(zip(grads, weights))
        print("epoch", epoch, "mse", round(float(loss), 4))


if __name__ == "__main__":
    tf.keras.utils.set_random_seed(5)
    t = np.arange(80)
    series = 5 * np.sin(t / 5) + np.random.randn(80) * 0.2
    x, y = windows(series, 10)
    fit(make_model(10), x, y, epochs=5, lr=0.1)
