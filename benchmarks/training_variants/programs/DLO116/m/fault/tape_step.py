import os

os.environ["KERAS_BACKEND"] = "tensorflow"

import keras
import numpy as np
import tensorflow as tf


class Fitter:
    def __init__(self, net):
        self.net = net
        self.optimizer = keras.optimizers.SGD(0.0001)
        self.loss = keras.losses.MeanSquaredError()

    def step(self, x, y):
        with tf.GradientTape() as tape:
            out = self.net(x)
            loss = self.loss(y, out)
        weights = self.net.trainable_variables
        self.optimizer.apply_gradients(zip(tape.gradient(loss, weights), weights))
        return out


def main():
    keras.utils.set_random_seed(0)
    layers = [keras.layers.Dense(32, activation="relu"), keras.layers.Dropout(0.5), keras.layers.Dense(1)]
    fitter = Fitter(keras.Sequential([keras.Input((4,)), *layers]))
    x = np.ones((8, 4), "float32")
    spread = float(tf.math.reduce_std(fitter.step(x, x[:, :1])))
    print("drops:", spread > 1e-4)


if __name__ == "__main__":
    main()
