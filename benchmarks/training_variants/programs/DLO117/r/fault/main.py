import tensorflow as tf

from step import Stepper


def main():
    tf.random.set_seed(0)
    encoder = tf.keras.Sequential([tf.keras.layers.Dense(4, activation="tanh")])
    decoder = tf.keras.Sequential([tf.keras.layers.Dense(10)])
    x = tf.random.normal((64, 10))
    stepper = Stepper(encoder, decoder, 1e-3)
    for _ in range(3):
        loss = stepper(x)
    print(float(loss))


if __name__ == "__main__":
    main()
