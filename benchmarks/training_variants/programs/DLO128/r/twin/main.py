import keras
import numpy as np

from callbacks import checkpoint


def main():
    keras.utils.set_random_seed(0)
    x = np.random.normal(size=(120, 5)).astype("float32")
    y = (x[:, 0] > 0).astype("int32")
    model = keras.Sequential([keras.Input((5,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(2)])
    model.compile("adam", keras.losses.SparseCategoricalCrossentropy(from_logits=True), metrics=["accuracy"])
    model.fit(x, y, validation_split=0.25, epochs=3, verbose=0, callbacks=[checkpoint("best.keras", "accuracy")])
    print("done")


if __name__ == "__main__":
    main()
