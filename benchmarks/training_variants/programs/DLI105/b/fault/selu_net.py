import keras
import numpy as np
from keras import layers

INITIALISERS = {"relu": "he_normal", "selu": "lecun_normal", "tanh": "glorot_uniform"}


def block(x, units, activation, initializer):
    return layers.Dense(units, activation=activation, kernel_initializer=initializer)(x)


def build(width, depth, activation="selu"):
    inputs = keras.Input((width,))
    x = inputs
    initializer = INITIALISERS["relu"]
    for _ in range(depth):
        x = block(x, 64, activation, initializer)
    return keras.Model(inputs, layers.Dense(1)(x))


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(400, 12)).astype("float32")
    y = (x[:, :1] * x[:, 1:2]).astype("float32")
    model = build(12, 6)
    model.compile(optimizer=keras.optimizers.SGD(1e-3, momentum=0.9), loss="mse")
    print("first output spread", round(float(model.predict(x, verbose=0).std()), 3))
    history = model.fit(x, y, epochs=10, batch_size=40, verbose=0)
    print("loss", round(history.history["loss"][-1], 4))
