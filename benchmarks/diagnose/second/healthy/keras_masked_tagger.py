"""Tag the words of generated addresses with a masked bidirectional recurrent network."""

import argparse

import keras
import numpy as np
from keras import layers

TAGS = ("name", "street", "number", "city", "other")
NAMES = ["anna", "boris", "clara", "dmitri", "emma", "felix", "greta", "henry", "park", "rose", "paris"]
STREETS = ["oak", "hill", "park", "river", "station", "rose", "church", "north"]
CITIES = ["paris", "lima", "oslo", "cairo", "quito", "delhi", "rose", "victoria"]
LONGEST = 12


def address(rng):
    """Words and tags; several words can be a name, a street or a city."""
    number = str(rng.integers(1, 60))
    name = (rng.choice(NAMES), "name")
    street = [(rng.choice(STREETS), "street"), (rng.choice(["street", "lane", "road"]), "street"), (number, "number")]
    city = [("in", "other"), (rng.choice(CITIES), "city")]
    order = rng.integers(0, 3)
    if order == 0:
        words = [("for", "other"), name, ("at", "other"), *street, *city]
    elif order == 1:
        words = [*street, *city, ("for", "other"), name]
    else:
        words = [name, ("lives", "other"), *city, ("at", "other"), *street]
    if rng.random() < 0.3:
        words = [("please", "other"), *words]
    return words


class Numbering:
    """Numbers of words: 0 for padding and 1 for a word that was not seen in training."""

    def __init__(self, addresses):
        words = sorted({word for row in addresses for word, _ in row})
        self.numbers = {word: number for number, word in enumerate(words, start=2)}

    def arrays(self, addresses):
        x = np.zeros((len(addresses), LONGEST), dtype="int32")
        y = np.zeros((len(addresses), LONGEST), dtype="int32")
        weights = np.zeros((len(addresses), LONGEST), dtype="float32")
        for row, words in enumerate(addresses):
            for column, (word, tag) in enumerate(words):
                x[row, column] = self.numbers.get(word, 1)
                y[row, column] = TAGS.index(tag)
                weights[row, column] = 1.0
        return x, y, weights


def build(words, width):
    inputs = keras.Input((LONGEST,), dtype="int32")
    x = layers.Embedding(words, width, mask_zero=True)(inputs)
    x = layers.SpatialDropout1D(0.1)(x)
    x = layers.Bidirectional(layers.GRU(width, return_sequences=True))(x)
    outputs = layers.TimeDistributed(layers.Dense(len(TAGS), activation="softmax"))(x)
    return keras.Model(inputs, outputs)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=4)
    parser.add_argument("--width", type=int, default=16)
    args = parser.parse_args()
    keras.utils.set_random_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    train_rows = [address(rng) for _ in range(700)]
    valid_rows = [address(rng) for _ in range(200)]
    numbering = Numbering(train_rows)
    x, y, weights = numbering.arrays(train_rows)
    x_valid, y_valid, valid_weights = numbering.arrays(valid_rows)
    model = build(len(numbering.numbers) + 2, args.width)
    model.compile(
        optimizer=keras.optimizers.Adam(8e-3, clipnorm=1.0),
        loss="sparse_categorical_crossentropy",
        weighted_metrics=["accuracy"],
    )
    history = model.fit(
        x,
        y,
        sample_weight=weights,
        validation_data=(x_valid, y_valid, valid_weights),
        batch_size=35,
        epochs=args.epochs,
        verbose=0,
    ).history
    for epoch in range(args.epochs):
        print(
            f"epoch {epoch}: loss {history['loss'][epoch]:.4f}, "
            f"accuracy {history['accuracy'][epoch]:.3f}, valid accuracy {history['val_accuracy'][epoch]:.3f}"
        )
    predicted = model.predict(x_valid, verbose=0).argmax(axis=2)
    whole = ((predicted == y_valid) | (valid_weights == 0)).all(axis=1).mean()
    print(f"addresses without a wrong tag {whole:.3f}")


if __name__ == "__main__":
    main()
