"""Gradual unfreezing of a text classifier."""
import keras
import numpy as np


class Gradual:
    def __init__(self, vocab, classes):
        self.model = keras.Sequential(
            [
                keras.layers.Input((10,), dtype="int32"),
                keras.layers.Embedding(vocab, 8, name="words"),
                keras.layers.Conv1D(16, 3, activation="relu", name="ngrams"),
                keras.layers.GlobalMaxPooling1D(),
                keras.layers.Dense(classes, name="head"),
            ]
        )
        for name in ("words", "ngrams"):
            self.model.get_layer(name).trainable = False
        self.build()

    def build(self):
        self.model.compile(
            optimizer=keras.optimizers.Adam(5e-3),
            loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        )

    def stage(self, x, y, unfreeze=None):
        if unfreeze:
            self.model.get_layer(unfreeze).trainable = True
        return self.model.fit(x, y, epochs=2, batch_size=32, verbose=0).history["loss"][-1]


def main():
    keras.utils.set_random_seed(4)
    x = np.random.randint(0, 30, (128, 10))
    y = (x == 3).any(axis=1).astype("int32")
    task = Gradual(30, 2)
    words = task.model.get_layer("words").get_weights()[0]
    task.stage(x, y)
    for name in ("ngrams", "words"):
        task.stage(x, y, unfreeze=name)
    print("embedding moved:", not np.allclose(words, task.model.get_layer("words").get_weights()[0]))


if __name__ == "__main__":
    main()
