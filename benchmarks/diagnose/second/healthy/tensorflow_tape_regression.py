"""A hand-written step with a gradient tape, a decaying rate and a moving average of the loss."""

# backend: tensorflow

import sys

import keras
import numpy as np
import tensorflow as tf

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
rng = np.random.default_rng(seed)
x = rng.normal(size=(2000, 4)).astype("float32")
y = (np.sin(x[:, :1] * 2) + x[:, 1:2] * x[:, 2:3]).astype("float32")
data = tf.data.Dataset.from_tensor_slices((x[:1600], y[:1600])).shuffle(1600).batch(40)

model = keras.Sequential(
    [keras.Input((4,)), keras.layers.Dense(64, "gelu"), keras.layers.Dense(64, "gelu"), keras.layers.Dense(1)]
)
rate = keras.optimizers.schedules.CosineDecay(5e-3, decay_steps=10 * 40)
optimizer = keras.optimizers.Adam(rate)


@tf.function
def step(features, targets):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(features, training=True) - targets))
    gradients, _ = tf.clip_by_global_norm(tape.gradient(loss, model.trainable_variables), 5.0)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
    return loss


average = None
for epoch in range(10):
    for features, targets in data:
        loss = float(step(features, targets))
        average = loss if average is None else 0.95 * average + 0.05 * loss
    valid = float(np.mean((model(x[1600:], training=False).numpy() - y[1600:]) ** 2))
    print(f"epoch {epoch}: train {average:.4f}, valid {valid:.4f}")
