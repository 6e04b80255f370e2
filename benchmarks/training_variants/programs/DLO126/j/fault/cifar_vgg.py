import keras
import numpy as np
from keras import layers


class MiniVGG:
    @staticmethod
    def build(width, height, depth, classes):
        model = keras.Sequential([keras.Input((height, width, depth))])
        for filters in (8, 16):
            model.add(layers.Conv2D(filters, 3, padding="same", activation="relu"))
            model.add(layers.BatchNormalization())
            model.add(layers.MaxPooling2D(2))
        model.add(layers.Flatten())
        model.add(layers.Dense(32, activation="relu"))
        model.add(layers.Dropout(0.5))
        model.add(layers.Dense(classes, activation="softmax"))
        return model


def load(classes):
    x = np.random.rand(128, 12, 12, 3).astype("float32")
    y = x.mean(axis=(1, 2)).argmax(axis=1)
    return x, keras.utils.to_categorical(y, classes)


def main():
    keras.utils.set_random_seed(42)
    epochs, base_rate = 3, 0.05
    x, y = load(3)
    print("[INFO] compiling model...")
    opt = keras.optimizers.SGD(learning_rate=base_rate, momentum=0.9, nesterov=True)
    model = MiniVGG.build(12, 12, 3, 3)
    model.compile(loss="categorical_crossentropy", optimizer="sgd", metrics=["accuracy"])
    print("[INFO] training network...")
    history = model.fit(x, y, validation_split=0.25, batch_size=16, epochs=epochs, verbose=0)
    print([round(v, 4) for v in history.history["loss"]])


if __name__ == "__main__":
    main()
