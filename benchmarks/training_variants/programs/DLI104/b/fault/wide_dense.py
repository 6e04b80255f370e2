import keras
import numpy as np
from keras import initializers, layers

CONFIG = {"hidden": [64, 64], "features": 200, "classes": 3}


def make_initializer(name):
    if name == "uniform":
        return initializers.RandomUniform(minval=0.0, maxval=1.0, seed=0)
    return initializers.get(name)


class DenseClassifier(keras.Model):
    def __init__(self, config):
        super().__init__()
        self.hidden_layers = []
        for units in config["hidden"]:
            kernel = make_initializer("uniform")
            self.hidden_layers.append(layers.Dense(units, activation="relu", kernel_initializer=kernel))
        self.classify = layers.Dense(config["classes"])

    def call(self, x):
        for layer in self.hidden_layers:
            x = layer(x)
        return self.classify(x)


def main():
    keras.utils.set_random_seed(0)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(600, CONFIG["features"])).astype("float32")
    y = x[:, : CONFIG["classes"]].argmax(axis=1)
    model = DenseClassifier(CONFIG)
    model.compile(
        optimizer=keras.optimizers.Adam(1e-3),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )
    history = model.fit(x, y, batch_size=60, epochs=10, verbose=0)
    print("first loss", round(history.history["loss"][0], 3), "last accuracy", round(history.history["accuracy"][-1], 3))


if __name__ == "__main__":
    main()
