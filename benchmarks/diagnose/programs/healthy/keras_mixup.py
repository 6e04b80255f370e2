"""After the Keras example "MixUp augmentation": a generator mixes pairs of samples and of their labels."""

import sys

import keras
import numpy as np
from keras import layers

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
random = np.random.default_rng(seed)
centres = random.standard_normal((6, 20))
labels = random.integers(0, 6, 1500)
samples = (centres[labels] + 0.8 * random.standard_normal((1500, 20))).astype("float32")
targets = keras.utils.to_categorical(labels, 6)


class MixUp(keras.utils.PyDataset):
    def __len__(self):
        return 40

    def __getitem__(self, index):
        one, two = random.integers(0, 1200, (2, 32))
        share = random.beta(0.2, 0.2, (32, 1)).astype("float32")
        return share * samples[one] + (1 - share) * samples[two], share * targets[one] + (1 - share) * targets[two]


model = keras.Sequential(
    [
        layers.Input((20,)),
        layers.Dense(64, activation="gelu"),
        layers.Dense(64, activation="gelu"),
        layers.Dense(6, activation="softmax"),
    ]
)
model.compile(loss="categorical_crossentropy", optimizer="adam", metrics=["accuracy"])
model.fit(MixUp(), epochs=5, validation_data=(samples[1200:], targets[1200:]), verbose=2)
assert model.evaluate(samples[1200:], targets[1200:], verbose=0)[1] > 0.85
