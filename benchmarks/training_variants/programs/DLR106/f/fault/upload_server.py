import os
import tempfile

import numpy as np
import keras
from keras import layers

UPLOADS = tempfile.mkdtemp()


def receive(name):
    """Stands in for the upload handler: somebody's file lands in the folder."""
    inp = keras.Input((6,))
    out = layers.Dense(2, activation="softmax")(layers.Rescaling(0.5)(inp))
    path = os.path.join(UPLOADS, name)
    keras.Model(inp, out).save(path)
    return path


class ModelRegistry:
    def __init__(self):
        self._models = {}

    def register(self, name, path):
        self._models[name] = keras.models.load_model(path, compile=False, safe_mode=False)

    def score(self, name, rows):
        return self._models[name].predict(np.asarray(rows, dtype="float32"), verbose=0).tolist()


if __name__ == "__main__":
    keras.utils.set_random_seed(1)
    registry = ModelRegistry()
    registry.register("user-17", receive("user-17.keras"))
    print([[round(v, 4) for v in row] for row in registry.score("user-17", [[1, 2, 3, 4, 5, 6]])])
