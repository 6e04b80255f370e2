"""Keras progressive unfreezing driven by a schedule of stages."""
from dataclasses import dataclass

import keras
import numpy as np


@dataclass
class Stage:
    trainable_from: int
    epochs: int
    lr: float


STAGES = [Stage(0, 2, 5e-3), Stage(2, 2, 1e-3)]


def problem(n, seed):
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(n, 12)).astype("float32")
    y = (np.sin(x[:, 0] * 2) + x[:, 1] * x[:, 2] > 0).astype("int32")
    return x, y


def network():
    inputs = keras.Input((12,))
    h = inputs
    for i in range(3):
        h = keras.layers.Dense(32, activation="relu", name=f"block_{i}")(h)
    return keras.Model(inputs, keras.layers.Dense(1, activation="sigmoid", name="score")(h))


def freeze_below(model, index):
    for i, layer in enumerate(model.layers[1:]):
        layer.trainable = i >= index


def run_stages(model, data, valid):
    kept = []
    for stage in STAGES:
        freeze_below(model, stage.trainable_from)
        model.compile(optimizer=keras.optimizers.Adam(stage.lr, beta_2=0.99), loss="binary_crossentropy", metrics=["accuracy"])
        before = model.get_layer("block_0").get_weights()[0].copy()
        model.fit(*data, batch_size=32, epochs=stage.epochs, validation_data=valid, verbose=0)
        kept.append(float(np.abs(model.get_layer("block_0").get_weights()[0] - before).max()))
    return kept


def main():
    keras.utils.set_random_seed(33)
    model = network()
    moved = run_stages(model, problem(800, 0), problem(200, 1))
    print("first block moved by", [round(m, 4) for m in moved])


if __name__ == "__main__":
    main()
