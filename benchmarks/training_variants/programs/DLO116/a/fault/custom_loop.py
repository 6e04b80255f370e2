import numpy as np
import tensorflow as tf
from tensorflow import keras
from tensorflow.keras import layers

tf.keras.utils.set_random_seed(0)
x = np.random.default_rng(0).normal(size=(400, 16)).astype("float32")
y = (x[:, 0] * x[:, 1] > 0).astype("int64")
train_ds = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(400, seed=0).batch(50).prefetch(tf.data.AUTOTUNE)

model = keras.Sequential(
    [
        keras.Input((16,)),
        layers.Dense(64, activation="relu"),
        layers.Dropout(0.5),
        layers.Dense(2),
    ]
)
loss_fn = keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = keras.optimizers.Adam(learning_rate=1e-3)
train_loss = keras.metrics.Mean()


@tf.function
def train_step(features, labels):
    with tf.GradientTape() as tape:
        logits = model(features)
        loss = loss_fn(labels, logits)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    train_loss.update_state(loss)


for epoch in range(3):
    train_loss.reset_state()
    for features, labels in train_ds:
        train_step(features, labels)
    print("Epoch", epoch, "loss", f"{float(train_loss.result()):.4f}")
