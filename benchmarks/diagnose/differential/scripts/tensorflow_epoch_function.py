"""A whole epoch in a ``tf.function``, with variables of its own and no Keras optimizer."""
# backends: tensorflow

import tensorflow as tf

tf.random.set_seed(0)
w, b = tf.Variable(tf.random.normal((3, 1))), tf.Variable(0.0)
x = tf.random.normal((64, 3))
y = tf.matmul(x, [[1.0], [2.0], [-1.0]]) + 0.5
data = tf.data.Dataset.from_tensor_slices((x, y)).batch(8)


@tf.function
def epoch(rate):
    total = 0.0
    for inputs, targets in data:
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean((tf.matmul(inputs, w) + b - targets) ** 2)
        dw, db = tape.gradient(loss, [w, b])
        w.assign_sub(rate * dw)
        b.assign_sub(rate * db)
        total += loss
    return total


for number in range(6):
    print(number, epoch(tf.constant(0.05)).numpy())
print(w.numpy().tolist(), b.numpy())
