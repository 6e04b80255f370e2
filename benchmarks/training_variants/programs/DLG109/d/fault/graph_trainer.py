import tensorflow as tf


class GraphTrainer:
    """Linear warm-up of the rate by a counter of steps."""

    def __init__(self, model, peak, warmup):
        self.model = model
        self.peak, self.warmup = peak, warmup
        self.optimizer = tf.keras.optimizers.SGD(peak)
        self.steps = 0

    @tf.function
    def train_step(self, x, y):
        self.steps += 1
        rate = self.peak * tf.minimum(1.0, tf.cast(self.steps, tf.float32) / self.warmup)
        with tf.GradientTape() as tape:
            loss = tf.reduce_mean(tf.abs(self.model(x, training=True) - y))
        variables = self.model.trainable_variables
        for v, g in zip(variables, tape.gradient(loss, variables)):
            v.assign_sub(rate * g)
        return loss, rate


def tides(n=64):
    t = tf.linspace(0.0, 12.0, n)[:, None]
    return tf.concat([tf.sin(t), tf.cos(t), t / 12.0], axis=1), tf.sin(t + 0.5)


if __name__ == "__main__":
    tf.keras.utils.set_random_seed(1)
    model = tf.keras.Sequential([tf.keras.Input((3,)), tf.keras.layers.Dense(12, activation="tanh"), tf.keras.layers.Dense(1)])
    trainer = GraphTrainer(model, peak=0.1, warmup=10.0)
    x, y = tides()
    for i in range(20):
        loss, rate = trainer.train_step(x, y)
        if i % 5 == 4:
            print("step %d loss %.4f rate %.3f" % (i + 1, float(loss), float(rate)))
