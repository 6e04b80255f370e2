"""After the Keras example "Simple MNIST convnet": convolutions, pooling, dropout, softmax and categorical cross entropy."""

import sys

import keras
import numpy as np
from keras import layers

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
random = np.random.default_rng(seed)
# Letters of 5 x 5 somewhere in an image of 14 x 14.
letters = [
    "XXXXX|X....|XXX..|X....|XXXXX",
    "X...X|X...X|XXXXX|X...X|X...X",
    "XXXXX|..X..|..X..|..X..|..X..",
    "X....|X....|X....|X....|XXXXX",
]
shapes = np.array([[[cell == "X" for cell in row] for row in letter.split("|")] for letter in letters], dtype="float32")


def draw(count):
    labels = random.integers(0, len(shapes), count)
    images = 0.3 * random.random((count, 14, 14, 1), dtype="float32")
    for image, label in zip(images, labels, strict=True):
        top, left = random.integers(0, 9, 2)
        image[top : top + 5, left : left + 5, 0] += 0.7 * shapes[label]
    return images, keras.utils.to_categorical(labels, len(shapes))


x_train, y_train = draw(1500)
x_test, y_test = draw(300)
model = keras.Sequential(
    [
        keras.Input(shape=(14, 14, 1)),
        layers.Conv2D(16, kernel_size=(3, 3), activation="relu"),
        layers.MaxPooling2D(pool_size=(2, 2)),
        layers.Conv2D(32, kernel_size=(3, 3), activation="relu"),
        layers.MaxPooling2D(pool_size=(2, 2)),
        layers.Flatten(),
        layers.Dropout(0.5),
        layers.Dense(len(shapes), activation="softmax"),
    ]
)
model.compile(loss="categorical_crossentropy", optimizer=keras.optimizers.Adam(3e-3), metrics=["accuracy"])
model.fit(x_train, y_train, batch_size=32, epochs=4, validation_split=0.1, verbose=2)
score = model.evaluate(x_test, y_test, verbose=0)
assert score[1] > 0.85, score
