"""Multi-class defects on sheet metal; the learning rate follows the macro F1 of the validation set."""

import argparse

import keras
import numpy as np
from keras import layers, ops

DEFECTS = 6


def sheets(count, seed):
    law = np.random.default_rng(11)
    centres = law.normal(size=(DEFECTS, 3, 20))
    rng = np.random.default_rng(seed)
    labels = rng.integers(0, DEFECTS, count)
    which = rng.integers(0, 3, count)
    scans = 0.55 * centres[labels, which] + rng.normal(scale=0.5, size=(count, 20))
    return scans.astype("float32"), labels


class MacroF1(keras.callbacks.Callback):
    """Adds the macro F1 on held-out data to the logs, so that later callbacks can use it."""

    def __init__(self, scans, labels):
        super().__init__()
        self.scans, self.labels = scans, labels

    def on_epoch_end(self, epoch, logs=None):
        predicted = self.model.predict(self.scans, verbose=0).argmax(1)
        scores = []
        for defect in range(DEFECTS):
            hits = np.sum((predicted == defect) & (self.labels == defect))
            total = np.sum(predicted == defect) + np.sum(self.labels == defect)
            scores.append(2 * hits / max(total, 1))
        logs["val_f1"] = float(np.mean(scores))


class RateLogger(keras.callbacks.Callback):
    def on_epoch_end(self, epoch, logs=None):
        rate = float(ops.convert_to_numpy(self.model.optimizer.learning_rate))
        if epoch % 3 == 0:
            print(f"epoch {epoch}: loss {logs['loss']:.4f}, f1 {logs['val_f1']:.3f}, learning rate {rate:.2e}")


def build(hidden, rate):
    inputs = keras.Input((20,))
    x = layers.Dense(hidden)(inputs)
    x = layers.LayerNormalization()(x)
    x = layers.Activation("gelu")(x)
    x = layers.Dense(hidden, activation="gelu")(x)
    outputs = layers.Dense(DEFECTS)(x)
    model = keras.Model(inputs, outputs)
    model.compile(
        optimizer=keras.optimizers.SGD(rate, momentum=0.9),
        loss=keras.losses.SparseCategoricalCrossentropy(from_logits=True),
    )
    return model


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=24)
    parser.add_argument("--hidden", type=int, default=64)
    parser.add_argument("--rate", type=float, default=0.01)
    parser.add_argument("--batch-size", type=int, default=100)
    args = parser.parse_args()
    keras.utils.set_random_seed(args.seed)
    train, valid, test = sheets(2400, 1), sheets(600, 2), sheets(1000, 3)
    model = build(args.hidden, args.rate)
    callbacks = [
        MacroF1(*valid),
        keras.callbacks.ReduceLROnPlateau(
            monitor="val_f1",
            factor=0.3,
            patience=1,
            mode="min",
            min_lr=1e-6,
        ),
        RateLogger(),
    ]
    model.fit(*train, batch_size=args.batch_size, epochs=args.epochs, callbacks=callbacks, verbose=0)
    predicted = model.predict(test[0], verbose=0).argmax(1)
    print(f"final test accuracy {np.mean(predicted == test[1]):.3f}")


if __name__ == "__main__":
    main()
