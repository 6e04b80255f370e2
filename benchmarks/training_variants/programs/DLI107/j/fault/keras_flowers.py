import argparse

import keras
import numpy as np
from keras import layers


class FlowerModel:
    def __init__(self, size, classes, rate):
        self.size, self.classes, self.rate = size, classes, rate

    def build(self, weights):
        base = keras.applications.MobileNetV2(
            include_top=False, weights=weights, input_shape=(self.size, self.size, 3), alpha=0.35, pooling="avg"
        )
        base.trainable = False
        inputs = keras.Input((self.size, self.size, 3))
        x = keras.applications.mobilenet_v2.preprocess_input(inputs)
        x = layers.Dropout(0.2)(base(x))
        model = keras.Model(inputs, layers.Dense(self.classes, activation="softmax")(x))
        model.compile(keras.optimizers.Adam(self.rate), loss="sparse_categorical_crossentropy", metrics=["accuracy"])
        return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", type=int, default=32)
    parser.add_argument("--epochs", type=int, default=1)
    args = parser.parse_args()
    keras.utils.set_random_seed(0)
    images = np.random.uniform(0, 255, (16, args.size, args.size, 3)).astype("float32")
    labels = images.mean(axis=(1, 2)).argmax(1)
    model = FlowerModel(args.size, 3, 1e-3).build(weights=None)
    model.fit(images, labels, epochs=args.epochs, batch_size=8, verbose=0)
    print("trainable tensors", len(model.trainable_weights))


if __name__ == "__main__":
    main()
