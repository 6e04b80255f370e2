"""Predict the default of loans from a table, with the usual callbacks and the best weights restored from a file."""

import argparse
import tempfile
from pathlib import Path

import keras
import numpy as np
from keras import layers

PURPOSES = ("car", "house", "study", "travel", "other")


def loans(count, rng):
    """Numbers and one category per loan; about a quarter of the loans default."""
    income = rng.lognormal(mean=3.5, sigma=0.5, size=count)
    amount = rng.lognormal(mean=3.0, sigma=0.7, size=count)
    age = rng.uniform(20, 70, size=count)
    late = rng.poisson(0.8, size=count)
    purpose = rng.integers(0, len(PURPOSES), size=count)
    risk = 1.4 * np.log(amount / income) + 0.8 * late - 0.03 * (age - 40)
    risk += np.array([0.5, -0.8, 0.2, 1.0, 0.0])[purpose] + rng.logistic(scale=0.6, size=count) - 1.3
    numbers = np.stack([np.log(income), np.log(amount), age, late], axis=1).astype("float32")
    return numbers, purpose.astype("int32"), (risk > 0).astype("float32")


def build(numbers, width, dropout):
    scale = layers.Normalization()
    scale.adapt(numbers)
    number_input = keras.Input((numbers.shape[1],), name="numbers")
    purpose_input = keras.Input((), dtype="int32", name="purpose")
    both = layers.Concatenate()([scale(number_input), layers.Embedding(len(PURPOSES), 3)(purpose_input)])
    hidden = layers.Dense(width, activation="relu")(both)
    hidden = layers.Dropout(dropout)(hidden)
    hidden = layers.Dense(width, activation="relu")(hidden)
    output = layers.Dense(1, activation="sigmoid")(hidden)
    return keras.Model({"numbers": number_input, "purpose": purpose_input}, output)


def callbacks(path, patience):
    return [
        keras.callbacks.ModelCheckpoint(path, monitor="val_auc", mode="max", save_best_only=True),
        keras.callbacks.EarlyStopping(monitor="val_auc", mode="max", patience=patience),
        keras.callbacks.ReduceLROnPlateau(monitor="val_loss", factor=0.5, patience=max(1, patience // 2)),
    ]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=8)
    parser.add_argument("--batch-size", type=int, default=64)
    parser.add_argument("--width", type=int, default=32)
    parser.add_argument("--patience", type=int, default=4)
    args = parser.parse_args()
    keras.utils.set_random_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    parts = []
    for count in (2000, 800, 800):
        numbers, purpose, default = loans(count, rng)
        parts.append(({"numbers": numbers, "purpose": purpose}, default))
    train, valid, test = parts
    model = build(train[0]["numbers"], args.width, dropout=0.1)
    model.compile(
        optimizer=keras.optimizers.Adam(2e-3),
        loss="binary_crossentropy",
        metrics=[keras.metrics.AUC(name="auc")],
    )
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "best.keras"))
        history = model.fit(
            *train,
            batch_size=args.batch_size,
            epochs=args.epochs,
            validation_data=valid,
            callbacks=callbacks(path, args.patience),
            verbose=0,
        ).history
        best = keras.saving.load_model(path)
    for epoch, (loss, score) in enumerate(zip(history["loss"], history["val_auc"], strict=True)):
        print(f"epoch {epoch}: loss {loss:.4f}, valid AUC {score:.3f}")
    loss, score = best.evaluate(*test, batch_size=400, verbose=0)
    print(f"test loss {loss:.4f}, test AUC {score:.3f}")


if __name__ == "__main__":
    main()
