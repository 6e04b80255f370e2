"""After the Keras guide "Writing a custom training loop in TensorFlow": tapes, metrics, compiled steps."""
# backend: tensorflow

import sys

import keras
import numpy as np
import tensorflow as tf

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
random = np.random.default_rng(seed)
prototypes = random.standard_normal((6, 30))
y = random.integers(0, 6, 1500)
x = (prototypes[y] + 1.2 * random.standard_normal((1500, 30))).astype("float32")
train_dataset = tf.data.Dataset.from_tensor_slices((x[:1200], y[:1200])).shuffle(1200, seed=seed).batch(32)
val_dataset = tf.data.Dataset.from_tensor_slices((x[1200:], y[1200:])).batch(100)

inputs = keras.Input(shape=(30,), name="digits")
h = keras.layers.Dense(64, activation="relu", name="dense_1")(inputs)
h = keras.layers.Dense(64, activation="relu", name="dense_2")(h)
model = keras.Model(inputs=inputs, outputs=keras.layers.Dense(6, name="predictions")(h))
optimizer = keras.optimizers.Adam(learning_rate=1e-3)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
train_acc_metric = keras.metrics.SparseCategoricalAccuracy()
val_acc_metric = keras.metrics.SparseCategoricalAccuracy()


@tf.function
def train_step(x, y):
    with tf.GradientTape() as tape:
        logits = model(x, training=True)
        loss_value = loss_fn(y, logits)
    grads = tape.gradient(loss_value, model.trainable_weights)
    optimizer.apply(grads, model.trainable_weights)
    train_acc_metric.update_state(y, logits)
    return loss_value


for epoch in range(4):
    for x_batch, y_batch in train_dataset:
        loss_value = train_step(x_batch, y_batch)
    for x_batch, y_batch in val_dataset:
        val_acc_metric.update_state(y_batch, model(x_batch, training=False))
    accuracy = float(val_acc_metric.result())
    print(f"epoch {epoch}: {float(loss_value):.3f}, {float(train_acc_metric.result()):.3f}, {accuracy:.3f}")
    train_acc_metric.reset_state()
    val_acc_metric.reset_state()
assert accuracy > 0.8
