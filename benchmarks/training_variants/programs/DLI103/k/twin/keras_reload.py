import keras
import numpy as np
from keras import layers


class Classifier:
    def __init__(self, features, classes, rate):
        self.features, self.classes = features, classes
        self.build(rate)

    def build(self, rate):
        self.model = keras.Sequential(
            [
                keras.Input((self.features,)),
                layers.Dense(24, activation="relu"),
                layers.Dense(self.classes, activation="softmax"),
            ]
        )
        self.compile(rate)

    def compile(self, rate):
        self.model.compile(keras.optimizers.Adam(rate), loss="sparse_categorical_crossentropy", metrics=["accuracy"])

    def fit(self, x, y, epochs):
        self.model.fit(x, y, epochs=epochs, batch_size=32, verbose=0)

    def resume(self, path, rate):
        self.model.load_weights(path)
        self.compile(rate)


def main():
    keras.utils.set_random_seed(8)
    x = np.random.randn(300, 8).astype("float32")
    y = x[:, :3].argmax(1)
    first = Classifier(8, 3, rate=1e-2)
    first.fit(x, y, epochs=8)
    first.model.save_weights("stage1.weights.h5")
    second = Classifier(8, 3, rate=1e-2)
    second.resume("stage1.weights.h5", rate=1e-4)
    second.fit(x, y, epochs=2)
    print("after the second stage", [round(v, 3) for v in second.model.evaluate(x, y, verbose=0)])


if __name__ == "__main__":
    main()
