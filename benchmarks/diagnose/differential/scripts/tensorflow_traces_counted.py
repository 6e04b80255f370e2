"""Loops around a tape: eager, in a ``tf.function`` whose traces are counted, with shuffled data, and a checkpoint."""
# backends: tensorflow

import keras
import tensorflow as tf

keras.utils.set_random_seed(0)
tf.config.experimental.enable_op_determinism()
x = tf.random.normal((128, 5))
y = tf.reduce_sum(x, 1, keepdims=True)
data = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(128, seed=1).batch(16)
model = keras.Sequential([keras.Input((5,)), keras.layers.Dense(16, "tanh"), keras.layers.Dense(1)])
optimizer = keras.optimizers.SGD(0.05)
mean = keras.metrics.Mean()
traces = []


def step(inputs, targets):
    traces.append(1)
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(inputs, training=True) - targets))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    mean.update_state(loss)
    return loss


for inputs, targets in data:
    step(inputs, targets)
print(len(traces), float(mean.result()))
compiled = tf.function(step)
for epoch in range(3):
    mean.reset_state()
    for inputs, targets in data:
        loss = compiled(inputs, targets)
    print(epoch, len(traces), float(mean.result()), float(loss))
manager = tf.train.CheckpointManager(tf.train.Checkpoint(model=model), "kept", max_to_keep=1)
manager.save()
