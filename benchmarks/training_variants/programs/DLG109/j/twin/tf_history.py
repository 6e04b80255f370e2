import tensorflow as tf


class Trainer(tf.Module):
    def __init__(self, rate):
        super().__init__()
        self.model = tf.keras.Sequential(
            [tf.keras.Input((5,)), tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)]
        )
        self.optimizer = tf.keras.optimizers.SGD(rate, momentum=0.9)
        self.history = []

    @tf.function
    def step(self, x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.square(self.model(x, training=True) - y))
        variables = self.model.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, variables), variables))
        return loss

    def fit(self, dataset, epochs):
        for _ in range(epochs):
            for x, y in dataset:
                loss = self.step(x, y)
                self.history.append(float(loss))
        return float(loss)


if __name__ == "__main__":
    tf.keras.utils.set_random_seed(0)
    x = tf.random.normal((96, 5))
    y = tf.reduce_sum(x[:, :2], axis=1, keepdims=True)
    trainer = Trainer(rate=0.02)
    final = trainer.fit(tf.data.Dataset.from_tensor_slices((x, y)).batch(16), epochs=3)
    print("loss %.4f entries %d" % (final, len(trainer.history)))
