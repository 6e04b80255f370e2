import tensorflow as tf

tf.keras.utils.set_random_seed(0)
x = tf.random.normal((320, 6), seed=1)
y = tf.cast(tf.reduce_sum(x[:, :3], axis=1) > 0, tf.int32)
dataset = tf.data.Dataset.from_tensor_slices((x, y)).batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential([tf.keras.Input((6,)), tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(2)])
loss_fn = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(1e-2)
history = []


@tf.function
def train_step(features, labels):
    with tf.GradientTape() as tape:
        loss = loss_fn(labels, model(features, training=True))
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    history.append(loss)
    return loss


for epoch in range(3):
    for features, labels in dataset:
        loss = train_step(features, labels)
    print(f"epoch {epoch} loss {float(loss):.4f}")
print("steps recorded", len(history))
