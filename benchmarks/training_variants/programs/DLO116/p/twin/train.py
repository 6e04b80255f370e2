"""Custom training loop with GradientTape: noisy two-moon data, heavy dropout and batch normalisation."""
import keras
import numpy as np
import tensorflow as tf
from sklearn.datasets import make_moons
from sklearn.model_selection import train_test_split

keras.utils.set_random_seed(12)


class MoonNet(keras.Model):
    def __init__(self, units=48, rate=0.4):
        super().__init__()
        self.hidden = [keras.layers.Dense(units, use_bias=False) for _ in range(2)]
        self.norms = [keras.layers.BatchNormalization() for _ in range(2)]
        self.drop = keras.layers.Dropout(rate)
        self.out = keras.layers.Dense(1)

    def call(self, x, training=False):
        for dense, norm in zip(self.hidden, self.norms):
            x = self.drop(tf.nn.relu(norm(dense(x), training=training)), training=training)
        return self.out(x)


class Loop:
    def __init__(self, model, lr):
        self.model = model
        self.optimizer = keras.optimizers.Adam(learning_rate=lr)
        self.loss = keras.losses.BinaryCrossentropy(from_logits=True)

    @tf.function
    def train_step(self, x, y):
        with tf.GradientTape() as tape:
            logits = self.model(x, training=True)
            loss = self.loss(y, logits)
        variables = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    def evaluate(self, x, y):
        logits = self.model(x, training=False)
        return float(tf.reduce_mean(tf.cast((logits > 0) == (y > 0.5), tf.float32)))


def main():
    x, y = make_moons(1200, noise=0.25, random_state=0)
    x_train, x_test, y_train, y_test = train_test_split(
        x.astype("float32"), y.astype("float32")[:, None], test_size=0.25, random_state=0
    )
    dataset = tf.data.Dataset.from_tensor_slices((x_train, y_train)).shuffle(900, seed=1).batch(60).prefetch(tf.data.AUTOTUNE)
    loop = Loop(MoonNet(), lr=3e-3)
    for _ in range(4):
        for xb, yb in dataset:
            loop.train_step(xb, yb)
    moving = np.abs(loop.model.norms[0].moving_mean.numpy()).max()
    print(f"accuracy {loop.evaluate(x_test, tf.constant(y_test)):.3f}, largest moving mean {moving:.4f}")


if __name__ == "__main__":
    main()
