import tensorflow as tf

from steps import NoisyStep


def main():
    tf.random.set_seed(0)
    model = tf.keras.Sequential([tf.keras.Input((5,)), tf.keras.layers.Dense(16, activation="relu"), tf.keras.layers.Dense(1)])
    step = NoisyStep(model, tf.keras.optimizers.Adam(1e-3), 0.1)
    x = tf.random.normal((64, 5))
    y = tf.reduce_sum(x, axis=1, keepdims=True)
    for _ in range(5):
        loss = step(x, y)
    print(float(loss))


if __name__ == "__main__":
    main()
