"""Port of a TF1 model: the keep probability is handed to tf.nn.dropout of TF2."""
import tensorflow as tf


class Ported(tf.Module):
    def __init__(self, units=64, keep_prob=0.9):
        super().__init__()
        init = tf.keras.initializers.GlorotUniform(seed=1)
        self.w1, self.b1 = tf.Variable(init((8, units))), tf.Variable(tf.zeros(units))
        self.w2, self.b2 = tf.Variable(init((units, 1))), tf.Variable(tf.zeros(1))
        self.keep_prob = keep_prob

    def __call__(self, x, training):
        h = tf.nn.relu(x @ self.w1 + self.b1)
        if training:
            h = tf.nn.dropout(h, self.keep_prob)
        return h @ self.w2 + self.b2


def data(n, seed):
    gen = tf.random.Generator.from_seed(seed)
    x = gen.normal((n, 8))
    return x, tf.reduce_sum(tf.abs(x[:, :3]), axis=1, keepdims=True)


def main(epochs=6):
    tf.random.set_seed(2)
    model = Ported()
    optimizer = tf.keras.optimizers.Adam(learning_rate=5e-3, beta_2=0.99)
    batches = tf.data.Dataset.from_tensor_slices(data(1000, 0)).shuffle(1000, seed=1).batch(50).prefetch(2)
    for _ in range(epochs):
        for x, y in batches:
            with tf.GradientTape() as tape:
                loss = tf.reduce_mean(tf.square(model(x, training=True) - y))
            gradients = tape.gradient(loss, model.trainable_variables)
            optimizer.apply_gradients(zip(gradients, model.trainable_variables))
    x, y = data(300, 5)
    print(f"test error {float(tf.reduce_mean(tf.square(model(x, training=False) - y))):.3f}")


if __name__ == "__main__":
    main()
