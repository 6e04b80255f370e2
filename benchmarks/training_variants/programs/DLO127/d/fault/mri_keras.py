from dataclasses import dataclass

import keras
import numpy as np
from keras import layers, regularizers


@dataclass
class Hyper:
    filters: int = 8
    l2: float = 0.5
    epochs: int = 4


def conv(x, filters, hyper):
    return layers.Conv2D(
        filters, 3, padding="same", activation="relu", kernel_regularizer=regularizers.L2(hyper.l2)
    )(x)


def tumour_net(hyper, size=16):
    image = keras.Input((size, size, 1))
    x = conv(image, hyper.filters, hyper)
    x = layers.AveragePooling2D(2)(x)
    x = conv(x, 2 * hyper.filters, hyper)
    x = layers.GlobalAveragePooling2D()(x)
    model = keras.Model(image, layers.Dense(1)(x))
    model.compile(keras.optimizers.Adam(5e-3), keras.losses.BinaryCrossentropy(from_logits=True))
    return model


def slices(n, size=16):
    x = np.random.rand(n, size, size, 1).astype("float32")
    y = np.arange(n) % 2
    x[y == 1, 4:8, 4:8] += 1.0
    return x, y


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    hyper = Hyper()
    x, y = slices(64)
    model = tumour_net(hyper)
    model.fit(x, y, epochs=hyper.epochs, batch_size=16, verbose=0)
    print("norm of the first kernel: %.4f" % np.linalg.norm(model.get_weights()[0]))
