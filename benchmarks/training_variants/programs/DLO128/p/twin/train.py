"""Keras image classifier that keeps the best weights by validation accuracy."""
from pathlib import Path

import keras
import numpy as np
from keras import layers

keras.utils.set_random_seed(19)
CHECKPOINT = Path("best.weights.h5")


def bars(n, seed):
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, 2, n)
    images = rng.normal(0, 0.7, (n, 12, 12, 1))
    where = rng.integers(0, 12, n)
    for image, label, i in zip(images, labels, where):
        if label:
            image[i] += 1
        else:
            image[:, i] += 1
    return images.astype("float32"), labels


def make_callbacks():
    return [
        keras.callbacks.ModelCheckpoint(
            CHECKPOINT,
            monitor="val_accuracy",
            mode="max",
            save_best_only=True,
            save_weights_only=True,
        ),
        keras.callbacks.ReduceLROnPlateau(monitor="val_loss", factor=0.5, patience=3),
    ]


def make_model():
    model = keras.Sequential(
        [
            keras.Input((12, 12, 1)),
            layers.Conv2D(8, 3, activation="relu", padding="same"),
            layers.MaxPooling2D(),
            layers.Conv2D(16, 3, activation="relu", padding="same"),
            layers.Flatten(),
            layers.Dropout(0.3),
            layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile(keras.optimizers.Adam(2e-3), loss="binary_crossentropy", metrics=["accuracy"])
    return model


def main(epochs=6):
    model = make_model()
    valid, test = bars(300, 2), bars(300, 3)
    history = model.fit(*bars(900, 1), batch_size=32, epochs=epochs, validation_data=valid, callbacks=make_callbacks(), verbose=0)
    model.load_weights(CHECKPOINT)
    _, accuracy = model.evaluate(*test, verbose=0)
    print(f"best val accuracy {max(history.history['val_accuracy']):.3f}; test accuracy of the kept weights {accuracy:.3f}")


if __name__ == "__main__":
    main()
