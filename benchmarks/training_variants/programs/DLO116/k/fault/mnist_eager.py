import argparse

import tensorflow as tf

parser = argparse.ArgumentParser()
parser.add_argument("--epochs", type=int, default=3)
parser.add_argument("--rate", type=float, default=0.3)
args = parser.parse_args()

tf.random.set_seed(0)
images = tf.random.uniform((120, 8, 8, 1))
labels = tf.cast(tf.reduce_mean(images[:, :4], axis=(1, 2, 3)) > 0.5, tf.int32)
train_ds = tf.data.Dataset.from_tensor_slices((images[:96], labels[:96])).shuffle(96, seed=0).batch(16)
test_ds = tf.data.Dataset.from_tensor_slices((images[96:], labels[96:])).batch(24)

model = tf.keras.Sequential(
    [
        tf.keras.layers.Conv2D(8, 3, activation="relu"),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dropout(args.rate),
        tf.keras.layers.Dense(2),
    ]
)
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam()
train_loss = tf.keras.metrics.Mean(name="train_loss")
test_loss = tf.keras.metrics.Mean(name="test_loss")
test_accuracy = tf.keras.metrics.SparseCategoricalAccuracy(name="test_accuracy")


@tf.function
def train_step(image, label):
    with tf.GradientTape() as tape:
        predictions = model(image, training=True)
        loss = loss_object(label, predictions)
    gradients = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    train_loss(loss)


@tf.function
def test_step(image, label):
    predictions = model(image, training=True)
    test_loss(loss_object(label, predictions))
    test_accuracy(label, predictions)


for epoch in range(args.epochs):
    for metric in (train_loss, test_loss, test_accuracy):
        metric.reset_state()
    for image, label in train_ds:
        train_step(image, label)
    for image, label in test_ds:
        test_step(image, label)
    print(f"Epoch {epoch + 1} {train_loss.result():.4f} {test_loss.result():.4f} {test_accuracy.result():.3f}")
