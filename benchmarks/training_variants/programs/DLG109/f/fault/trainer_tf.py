import tensorflow as tf


class Trainer:
    def __init__(self, model, lr=0.01):
        self.model = model
        self.optimizer = tf.keras.optimizers.Adam(lr)
        self.loss_fn = tf.keras.losses.MeanSquaredError()
        self.history = []

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = self.loss_fn(y, self.model(x, training=True))
        grads = tape.gradient(loss, self.model.trainable_variables)
        self.optimizer.apply_gradients(zip(grads, self.model.trainable_variables))
        self.history.append(loss)
        return loss

    def fit(self, dataset, epochs):
        for _ in range(epochs):
            for x, y in dataset:
                loss = self.step(x, y)
        return loss


def make_dataset(n=96):
    x = tf.random.normal((n, 4), seed=5)
    y = tf.reduce_sum(x * [1.0, -2.0, 0.5, 0.0], axis=1, keepdims=True)
    return tf.data.Dataset.from_tensor_slices((x, y)).batch(16)


if __name__ == "__main__":
    tf.random.set_seed(5)
    net = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(8, activation="relu"), tf.keras.layers.Dense(1)])
    trainer = Trainer(net)
    last = trainer.fit(make_dataset(), epochs=3)
    print("steps recorded", len(trainer.history), "last loss %.4f" % float(last))
