"""Callbacks by name."""
import keras

MONITORS = {
    "loss": ("val_loss", "min"),
    "accuracy": ("val_accuracy", "max"),
}


def checkpoint(path, kind):
    monitor, mode = MONITORS[kind]
    return keras.callbacks.ModelCheckpoint(path, monitor=monitor, mode=mode, save_best_only=True)
