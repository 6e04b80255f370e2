"""Confusion matrix of a Keras image folder classifier."""
import tempfile
from pathlib import Path

import keras
import numpy as np
from PIL import Image
from sklearn.metrics import accuracy_score, confusion_matrix

SIZE = (16, 16)


def write_images(root, per_class, seed):
    rng = np.random.default_rng(seed)
    for label, name in enumerate(("dark", "light", "mixed")):
        folder = Path(root) / name
        folder.mkdir(parents=True)
        for i in range(per_class):
            level = rng.normal((60, 190, 125)[label], 10)
            Image.fromarray(np.clip(rng.normal(level, 25, (*SIZE, 3)), 0, 255).astype("uint8")).save(folder / f"{i:03}.png")


def network():
    model = keras.Sequential(
        [
            keras.Input((*SIZE, 3)),
            keras.layers.Rescaling(1 / 255),
            keras.layers.Conv2D(8, 3, activation="relu"),
            keras.layers.GlobalAveragePooling2D(),
            keras.layers.Dense(16, activation="relu"),
            keras.layers.Dense(3, activation="softmax"),
        ]
    )
    model.compile(keras.optimizers.Adam(learning_rate=0.01, beta_2=0.99), loss="sparse_categorical_crossentropy")
    return model


def read(root, **options):
    return keras.utils.image_dataset_from_directory(root, image_size=SIZE, batch_size=20, verbose=False, **options)


def main():
    keras.utils.set_random_seed(6)
    with tempfile.TemporaryDirectory() as folder:
        write_images(f"{folder}/train", 60, seed=0)
        write_images(f"{folder}/test", 20, seed=1)
        model = network()
        model.fit(read(f"{folder}/train", seed=1), epochs=15, verbose=0)
        test = read(f"{folder}/test", seed=1)
        guess = model.predict(test, verbose=0).argmax(axis=1)
    truth = np.repeat(np.arange(3), 20)
    print(confusion_matrix(truth, guess))
    print("test accuracy", round(accuracy_score(truth, guess), 3))


if __name__ == "__main__":
    main()
