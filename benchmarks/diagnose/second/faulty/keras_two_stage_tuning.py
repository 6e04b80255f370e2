"""Two stages of training: first a head on a frozen encoder, then the whole model."""

# backend: tensorflow

import argparse

import keras
import numpy as np
from keras import layers

CLASSES = 6


def spectra(count, seed):
    """Spectra with two narrow lines; the class is their distance."""
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, CLASSES, count)
    values = rng.normal(scale=0.3, size=(count, 64, 1))
    for value, label in zip(values, labels, strict=True):
        start = rng.integers(2, 40)
        value[start] += 2.0
        value[start + 3 + 2 * label] += 2.0
    return values.astype("float32"), labels


def make_encoder(width):
    inputs = keras.Input((64, 1))
    x = layers.Conv1D(width, 7, padding="same", activation="relu")(inputs)
    x = layers.Conv1D(width, 15, padding="same", activation="relu")(x)
    x = layers.Conv1D(width, 15, padding="same", activation="relu")(x)
    return keras.Model(inputs, layers.GlobalMaxPooling1D()(x), name="encoder")


def make_classifier(encoder):
    inputs = keras.Input((64, 1))
    x = encoder(inputs)
    outputs = layers.Dense(CLASSES)(x)
    return keras.Model(inputs, outputs)


def compile_model(model, rate):
    model.compile(
        optimizer=keras.optimizers.Adam(rate),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )


def show(title, history):
    for epoch, loss in enumerate(history["loss"]):
        print(f"{title} {epoch}: loss {loss:.4f}, val accuracy {history['val_accuracy'][epoch]:.3f}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--head-epochs", type=int, default=3)
    parser.add_argument("--full-epochs", type=int, default=10)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--width", type=int, default=24)
    args = parser.parse_args()
    keras.utils.set_random_seed(args.seed)
    train, valid = spectra(1500, 1), spectra(400, 2)
    encoder = make_encoder(args.width)
    encoder.trainable = False
    model = make_classifier(encoder)
    compile_model(model, args.rate)
    options = {"batch_size": 50, "validation_data": valid, "verbose": 0}
    show("head", model.fit(*train, epochs=args.head_epochs, **options).history)

    encoder.trainable = True
    history = model.fit(*train, epochs=args.full_epochs, **options).history
    show("full", history)
    print(f"final val accuracy {history['val_accuracy'][-1]:.3f}")


if __name__ == "__main__":
    main()
