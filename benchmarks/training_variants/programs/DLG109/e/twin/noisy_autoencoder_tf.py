import numpy as np
import tensorflow as tf


class DenoisingAE(tf.keras.Model):
    def __init__(self, dim, code=6):
        super().__init__()
        self.enc = tf.keras.layers.Dense(code, activation="tanh")
        self.dec = tf.keras.layers.Dense(dim)

    def call(self, x):
        return self.dec(self.enc(x))


tf.random.set_seed(3)
np.random.seed(3)
data = np.random.randn(128, 12).astype("float32")
model = DenoisingAE(12)
opt = tf.keras.optimizers.Adam(1e-2)


@tf.function
def train_step(x):
    noise = tf.random.normal((32, 12), stddev=0.3)
    noisy = x + noise
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean(tf.square(model(noisy, training=True) - x))
    grads = tape.gradient(loss, model.trainable_variables)
    opt.apply_gradients(zip(grads, model.trainable_variables))
    return loss, noisy - x


seen = set()
for epoch in range(3):
    for i in range(0, 128, 32):
        loss, noise = train_step(tf.constant(data[i:i + 32]))
        seen.add(round(float(noise[0, 0]), 3))
print("loss %.4f, different noises %d" % (float(loss), len(seen)))
