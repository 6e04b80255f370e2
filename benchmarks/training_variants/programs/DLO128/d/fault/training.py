import os

import keras


def make_callbacks(folder):
    os.makedirs(folder, exist_ok=True)
    path = os.path.join(folder, "best.weights.h5")
    return path, [
        keras.callbacks.ModelCheckpoint(path, monitor="val_acc", mode="max", save_best_only=True, save_weights_only=True),
        keras.callbacks.TerminateOnNaN(),
    ]


def fit(model, train, val, folder, epochs):
    path, callbacks = make_callbacks(folder)
    model.fit(*train, validation_data=val, epochs=epochs, batch_size=8, callbacks=callbacks, verbose=0)
    return path
