"""Keras in two phases: train everything, then keep the base fixed while the head adapts to shifted data."""
import argparse

import keras
import numpy as np
from keras import layers


def make_data(n, seed, shift=0.0):
    rng = np.random.default_rng(seed)
    y = rng.integers(0, 4, n)
    x = rng.normal(shift, 0.5, (n, 16, 16, 1)).astype("float32")
    for i, label in enumerate(y):
        r, c = divmod(label, 2)
        x[i, 8 * r : 8 * r + 8, 8 * c : 8 * c + 8] += 1.0
    return x, y


def make_base():
    inputs = keras.Input((16, 16, 1))
    h = layers.Conv2D(8, 3, padding="same", activation="relu")(inputs)
    h = layers.MaxPooling2D()(h)
    h = layers.Conv2D(16, 3, padding="same", activation="relu")(h)
    return keras.Model(inputs, layers.GlobalAveragePooling2D()(h), name="base")


def make_classifier(base, classes):
    inputs = keras.Input((16, 16, 1))
    features = base(inputs)
    features = layers.Dropout(0.2)(features)
    return keras.Model(inputs, layers.Dense(classes)(features))


def compile_for(model, lr):
    model.compile(
        optimizer=keras.optimizers.Adam(learning_rate=lr),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
        metrics=["accuracy"],
    )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--full-epochs", type=int, default=3)
    parser.add_argument("--head-epochs", type=int, default=2)
    args = parser.parse_args()
    keras.utils.set_random_seed(42)
    x, y = make_data(600, seed=0)
    valid = make_data(200, seed=1)

    base = make_base()
    model = make_classifier(base, 4)
    compile_for(model, 5e-3)
    model.fit(x, y, epochs=args.full_epochs, batch_size=32, validation_data=valid, verbose=0)
    before = base.get_weights()[0].copy()

    x, y = make_data(300, seed=2, shift=0.4)
    valid = make_data(150, seed=3, shift=0.4)
    base.trainable = False
    compile_for(model, 1e-3)
    history = model.fit(x, y, epochs=args.head_epochs, batch_size=32, validation_data=valid, verbose=0)
    moved = float(np.abs(base.get_weights()[0] - before).max())
    print(f"base moved by {moved:.4f}, val accuracy {history.history['val_accuracy'][-1]:.3f}")


if __name__ == "__main__":
    main()
