import os

import keras


def make_callbacks(folder, metric="val_accuracy"):
    os.makedirs(folder, exist_ok=True)
    mode = "max"
    return [
        keras.callbacks.ModelCheckpoint(
            os.path.join(folder, "best.keras"),
            monitor=metric,
            mode=mode,
            save_best_only=True,
        ),
        keras.callbacks.CSVLogger(os.path.join(folder, "log.csv")),
    ]
