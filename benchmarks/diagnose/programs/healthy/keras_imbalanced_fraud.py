"""After the Keras example "Imbalanced classification: credit card fraud detection": class weights make up for rarity."""

import sys

import keras
import numpy as np
from keras import layers

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
keras.utils.set_random_seed(seed)
random = np.random.default_rng(seed)
targets = (random.random((3000, 1)) < 0.03).astype("uint8")
features = random.standard_normal((3000, 16)) + 1.5 * targets * np.where(np.arange(16) % 3, 1.0, -1.0)
features = (features * random.uniform(1, 50, 16) + random.uniform(-50, 50, 16)).astype("float32")
train_features, val_features = features[:2400], features[2400:]
train_targets, val_targets = targets[:2400], targets[2400:]
counts = np.bincount(train_targets[:, 0])
mean, std = train_features.mean(0), train_features.std(0)
train_features, val_features = (train_features - mean) / std, (val_features - mean) / std

model = keras.Sequential(
    [
        keras.Input(shape=train_features.shape[1:]),
        layers.Dense(64, activation="relu"),
        layers.Dropout(0.3),
        layers.Dense(64, activation="relu"),
        layers.Dropout(0.3),
        layers.Dense(1, activation="sigmoid"),
    ]
)
metrics = [keras.metrics.Precision(name="precision"), keras.metrics.Recall(name="recall")]
model.compile(optimizer=keras.optimizers.Adam(1e-3), loss="binary_crossentropy", metrics=metrics)
class_weight = {0: 1.0 / counts[0], 1: 1.0 / counts[1]}
model.fit(
    train_features,
    train_targets,
    batch_size=64,
    epochs=6,
    verbose=2,
    validation_data=(val_features, val_targets),
    class_weight=class_weight,
)
assert model.evaluate(val_features, val_targets, verbose=0)[2] > 0.8
