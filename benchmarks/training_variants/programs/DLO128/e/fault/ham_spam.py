import os
import tempfile

import numpy as np
from tensorflow import keras
from tensorflow.keras.callbacks import ModelCheckpoint

keras.utils.set_random_seed(2)
rng = np.random.default_rng(2)
counts = rng.poisson(0.3, size=(300, 40)).astype("float32")
spam = (counts[:, 0] + counts[:, 1] > 0).astype("float32")

clf = keras.Sequential([keras.Input((40,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(1, activation="sigmoid")])
clf.compile(optimizer=keras.optimizers.Adam(0.01), loss="binary_crossentropy", metrics=["accuracy"])

filepath = os.path.join(tempfile.mkdtemp(), "spam.weights.h5")
checkpoint = ModelCheckpoint(
    filepath,
    monitor="val_accuracy",
    save_best_only=True,
    save_weights_only=True,
    mode="min",
)
clf.fit(counts, spam, validation_split=0.3, epochs=8, batch_size=32, callbacks=[checkpoint], verbose=0)
clf.load_weights(filepath)
print("restored accuracy %.3f" % clf.evaluate(counts[210:], spam[210:], verbose=0)[1])
