import numpy as np
import tensorflow as tf

tf.keras.utils.set_random_seed(0)


class ECGNet(tf.keras.Model):
    def __init__(self, classes):
        super().__init__()
        self.conv = tf.keras.layers.Conv1D(8, 5, padding="same")
        self.norm = tf.keras.layers.BatchNormalization()
        self.pool = tf.keras.layers.GlobalAveragePooling1D()
        self.drop = tf.keras.layers.Dropout(0.4)
        self.out = tf.keras.layers.Dense(classes)

    def call(self, x, training=False):
        h = tf.nn.relu(self.norm(self.conv(x), training=training))
        return self.out(self.drop(self.pool(h), training=training))


model = ECGNet(4)
loss_object = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
optimizer = tf.keras.optimizers.Adam(1e-3)
train_loss = tf.keras.metrics.Mean()


@tf.function
def train_step(signal, label):
    with tf.GradientTape() as tape:
        logits = model(signal)
        loss = loss_object(label, logits)
    grads = tape.gradient(loss, model.trainable_variables)
    optimizer.apply_gradients(zip(grads, model.trainable_variables))
    train_loss(loss)


signals = np.random.randn(64, 40, 1).astype("float32") * 2 + 1
labels = np.random.randint(0, 4, 64)
ds = tf.data.Dataset.from_tensor_slices((signals, labels)).batch(16)
for epoch in range(2):
    train_loss.reset_state()
    for s, l in ds:
        train_step(s, l)
    print("epoch", epoch, "loss %.4f" % float(train_loss.result()))
print("moving mean", np.round(model.norm.moving_mean.numpy()[:3], 4))
