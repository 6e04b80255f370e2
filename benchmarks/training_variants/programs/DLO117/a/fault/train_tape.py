import tensorflow as tf

tf.keras.utils.set_random_seed(0)

features = tf.random.normal((320, 8), seed=1)
targets = tf.reduce_sum(features[:, :3], axis=1, keepdims=True)
dataset = tf.data.Dataset.from_tensor_slices((features, targets)).shuffle(320, seed=0).batch(32).prefetch(tf.data.AUTOTUNE)

model = tf.keras.Sequential(
    [
        tf.keras.Input((8,)),
        tf.keras.layers.Dense(32, activation="relu"),
        tf.keras.layers.Dense(1),
    ]
)
optimizer = tf.keras.optimizers.SGD(learning_rate=0.01, momentum=0.9)
mse = tf.keras.losses.MeanSquaredError()

EPOCHS = 3
for epoch in range(EPOCHS):
    losses = []
    for x, y in dataset:
        with tf.GradientTape() as tape:
            prediction = model(x, training=True)
        loss = mse(y, prediction)
        grads = tape.gradient(loss, model.trainable_variables)
        optimizer.apply_gradients(zip(grads, model.trainable_variables))
        losses.append(float(loss))
    print(f"epoch {epoch + 1}/{EPOCHS} loss {sum(losses) / len(losses):.4f}")
