import os

import keras


class ModelStore:
    def __init__(self, folder, name):
        os.makedirs(folder, exist_ok=True)
        self.path = os.path.join(folder, name + ".weights.h5")

    def save(self, model):
        model.save_weights(self.path)

    def load(self):
        return keras.models.load_model(self.path)
