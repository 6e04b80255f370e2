import numpy as np
import keras
from keras import layers


def callbacks():
    return [
        keras.callbacks.ReduceLROnPlateau(monitor="val_loss", factor=0.2, patience=1, min_delta=0.05, min_lr=1e-5),
        keras.callbacks.TerminateOnNaN(),
    ]


def autoencoder(dim):
    inp = keras.Input((dim,))
    code = layers.Dense(8, activation="relu")(layers.GaussianNoise(0.2)(inp))
    out = layers.Dense(dim, activation="sigmoid")(code)
    ae = keras.Model(inp, out, name="dae")
    ae.compile(optimizer=keras.optimizers.Adam(5e-3), loss="mse")
    return ae


if __name__ == "__main__":
    keras.utils.set_random_seed(33)
    x = np.random.rand(256, 30).astype("float32")
    x_val = np.random.rand(64, 30).astype("float32")
    ae = autoencoder(30)
    ae.fit(x, x, epochs=8, batch_size=32, callbacks=callbacks(), verbose=0)
    print("rate %.6f" % float(ae.optimizer.learning_rate), "val %.5f" % ae.evaluate(x_val, x_val, verbose=0))
