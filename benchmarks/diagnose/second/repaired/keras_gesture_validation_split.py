"""Recognise hand gestures from glove sensors; the recordings are read one gesture after the other."""

import sys

import keras
import numpy as np
from keras import layers

GESTURES = ["fist", "open", "point", "pinch", "wave", "thumb"]
SENSORS = 14
STEPS = 24


class GloveReader:
    """Stands for the folder of recordings: one file for each gesture."""

    def __init__(self, seed, per_gesture=120):
        self.rng = np.random.default_rng(seed)
        self.per_gesture = per_gesture
        self.profiles = self.rng.normal(size=(len(GESTURES), SENSORS))
        self.rhythms = self.rng.uniform(0.5, 3.0, size=len(GESTURES))

    def read(self, gesture):
        number = GESTURES.index(gesture)
        time = np.linspace(0, 2 * np.pi, STEPS)
        phase = self.rng.uniform(0, 2 * np.pi, size=(self.per_gesture, 1))
        swing = np.sin(self.rhythms[number] * time + phase)[..., None]
        noise = self.rng.normal(scale=0.8, size=(self.per_gesture, STEPS, SENSORS))
        return (self.profiles[number] * (1 + 0.5 * swing) + noise).astype("float32")


def load(reader):
    recordings, labels = [], []
    for number, gesture in enumerate(GESTURES):
        block = reader.read(gesture)
        recordings.append(block)
        labels.append(np.full(len(block), number))
    return np.concatenate(recordings), np.concatenate(labels)


def build():
    model = keras.Sequential(
        [
            keras.Input((STEPS, SENSORS)),
            layers.Conv1D(24, 5, activation="relu", padding="same"),
            layers.MaxPooling1D(2),
            layers.Conv1D(32, 3, activation="relu", padding="same"),
            layers.GlobalAveragePooling1D(),
            layers.Dropout(0.2),
            layers.Dense(len(GESTURES), activation="softmax"),
        ]
    )
    model.compile(optimizer="adam", loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    return model


def normalise(recordings):
    mean = recordings.mean(axis=(0, 1), keepdims=True)
    std = recordings.std(axis=(0, 1), keepdims=True)
    return (recordings - mean) / std


def main():
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
    keras.utils.set_random_seed(seed)
    recordings, labels = load(GloveReader(seed))
    recordings = normalise(recordings)
    order = np.random.default_rng(seed).permutation(len(labels))
    recordings, labels = recordings[order], labels[order]
    model = build()
    callbacks = [keras.callbacks.ReduceLROnPlateau(monitor="loss", factor=0.5, patience=3)]
    history = model.fit(
        recordings,
        labels,
        batch_size=32,
        epochs=10,
        validation_split=0.2,
        shuffle=True,
        callbacks=callbacks,
        verbose=0,
    ).history
    for epoch, (train, valid) in enumerate(zip(history["accuracy"], history["val_accuracy"], strict=True)):
        print(f"epoch {epoch}: accuracy {train:.3f}, validation accuracy {valid:.3f}")
    print(f"final validation accuracy {history['val_accuracy'][-1]:.3f}")


if __name__ == "__main__":
    main()
