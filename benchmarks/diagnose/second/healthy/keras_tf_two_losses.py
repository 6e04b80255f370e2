"""Predict the kind and the weight of a fish from its shape: one trunk, two heads, weighted losses."""

# backend: tensorflow

import argparse

import keras
import numpy as np
import tensorflow as tf
from keras import layers

KINDS = ("perch", "bream", "pike", "roach")
MEASURES = ("length", "height", "width", "fin", "eye")


def catch(count, rng):
    shapes = np.array(
        [
            [1.0, 0.27, 0.16, 0.20, 0.040],
            [1.0, 0.40, 0.14, 0.24, 0.036],
            [1.0, 0.16, 0.11, 0.13, 0.030],
            [1.0, 0.29, 0.15, 0.19, 0.046],
        ]
    )
    kinds = rng.integers(0, len(KINDS), count)
    length = rng.uniform(15, 45, size=(count, 1))
    measures = shapes[kinds] * length * rng.normal(1, 0.06, size=(count, len(MEASURES)))
    weight = 0.6 * measures[:, 0] * measures[:, 1] * measures[:, 2] * rng.normal(1, 0.05, size=count)
    return measures.astype("float32"), kinds, np.log(weight).astype("float32")


def build(measures, width, l2):
    scale = layers.Normalization()
    scale.adapt(np.log(measures))
    inputs = keras.Input((len(MEASURES),))
    x = scale(keras.ops.log(inputs))
    for _ in range(2):
        x = layers.Dense(width, activation="gelu", kernel_regularizer=keras.regularizers.L2(l2))(x)
    kind = layers.Dense(len(KINDS), activation="softmax", name="kind")(x)
    weight = layers.Dense(1, name="weight")(x)
    return keras.Model(inputs, {"kind": kind, "weight": weight})


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=15)
    parser.add_argument("--batch-size", type=int, default=32)
    parser.add_argument("--width", type=int, default=32)
    args = parser.parse_args()
    keras.utils.set_random_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    measures, kinds, weights = catch(1500, rng)
    new_measures, new_kinds, new_weights = catch(500, rng)
    mean, std = weights.mean(), weights.std()

    def targets(kinds, weights):
        return {"kind": kinds, "weight": ((weights - mean) / std)[:, None]}

    train = (
        tf.data.Dataset.from_tensor_slices((measures, targets(kinds, weights)))
        .shuffle(len(kinds), seed=args.seed)
        .batch(args.batch_size)
        .prefetch(2)
    )
    valid = tf.data.Dataset.from_tensor_slices((new_measures, targets(new_kinds, new_weights))).batch(250)
    model = build(measures, args.width, l2=1e-5)
    schedule = keras.optimizers.schedules.PolynomialDecay(4e-3, args.epochs * len(train), end_learning_rate=1e-4)
    model.compile(
        optimizer=keras.optimizers.Adam(schedule),
        loss={"kind": "sparse_categorical_crossentropy", "weight": keras.losses.Huber()},
        loss_weights={"kind": 1.0, "weight": 0.5},
        metrics={"kind": ["accuracy"], "weight": ["mae"]},
    )
    history = model.fit(train, epochs=args.epochs, validation_data=valid, verbose=0).history
    for epoch in range(0, args.epochs, 2):
        print(
            f"epoch {epoch}: loss {history['loss'][epoch]:.4f}, "
            f"valid accuracy {history['val_kind_accuracy'][epoch]:.3f}, "
            f"valid error {history['val_weight_mae'][epoch]:.4f}"
        )
    guess = model.predict(new_measures, verbose=0)["weight"][:, 0] * std + mean
    ratio = np.exp(np.median(np.abs(guess - new_weights)))
    print(f"kinds {history['val_kind_accuracy'][-1]:.3f}, weights within {100 * (ratio - 1):.1f} % (median)")


if __name__ == "__main__":
    main()
