"""Two phases of fine-tuning in Keras."""
import keras
import numpy as np
from keras import layers


def build_base(inputs=12):
    return keras.Sequential([keras.Input((inputs,)), layers.Dense(32, activation="relu"), layers.Dense(16, activation="relu")])


def build_classifier(base):
    base.trainable = False
    model = keras.Sequential([base, layers.Dense(3, activation="softmax")])
    compile_model(model, 1e-2)
    return model


def compile_model(model, rate):
    model.compile(optimizer=keras.optimizers.Adam(rate), loss="sparse_categorical_crossentropy", metrics=["accuracy"])


def thaw(base, keep=1):
    base.trainable = True
    for layer in base.layers[:-keep]:
        layer.trainable = False


def main():
    keras.utils.set_random_seed(0)
    x = np.random.normal(size=(256, 12)).astype("float32")
    y = x[:, :3].argmax(axis=1)
    base = build_base()
    model = build_classifier(base)
    model.fit(x, y, epochs=2, batch_size=32, verbose=0)
    thaw(base)
    history = model.fit(x, y, epochs=2, batch_size=32, verbose=0)
    print(history.history["loss"][-1])


if __name__ == "__main__":
    main()
