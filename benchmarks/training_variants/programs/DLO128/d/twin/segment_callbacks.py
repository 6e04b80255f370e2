import keras
import numpy as np

import training


def unet(size):
    x = inputs = keras.Input((size, size, 1))
    x = keras.layers.Conv2D(8, 3, padding="same", activation="relu")(x)
    skip = x
    x = keras.layers.MaxPooling2D()(x)
    x = keras.layers.Conv2D(16, 3, padding="same", activation="relu")(x)
    x = keras.layers.UpSampling2D()(x)
    x = keras.layers.Concatenate()([x, skip])
    outputs = keras.layers.Conv2D(1, 1, activation="sigmoid")(x)
    model = keras.Model(inputs, outputs)
    model.compile(optimizer=keras.optimizers.Adam(0.01), loss="binary_crossentropy", metrics=["accuracy"])
    return model


def cells(n, size=16):
    x = np.random.rand(n, size, size, 1).astype("float32")
    return x, (x + 0.2 * np.random.randn(*x.shape) > 0.6).astype("float32")


if __name__ == "__main__":
    keras.utils.set_random_seed(8)
    model, val = unet(16), cells(8)
    best = training.fit(model, cells(24), val, "runs", epochs=10)
    model.load_weights(best)
    print("accuracy of the checkpoint %.4f" % model.evaluate(*val, verbose=0)[1])
