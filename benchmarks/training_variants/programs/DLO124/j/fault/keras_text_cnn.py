import keras
import numpy as np
from keras import layers

SETTINGS = {
    "vocab": 60,
    "length": 14,
    "filters": 16,
    "dropout": 0.2,
    "optimizer": {"name": "adam", "learning_rate": 0.1},
    "epochs": 6,
    "batch_size": 32,
}


def text_cnn(cfg):
    tokens = keras.Input((cfg["length"],), dtype="int32")
    x = layers.Embedding(cfg["vocab"], 16)(tokens)
    towers = []
    for width in (2, 3, 4):
        t = layers.Conv1D(cfg["filters"], width, activation="relu")(x)
        t = layers.Conv1D(cfg["filters"], 2, activation="relu")(t)
        towers.append(layers.GlobalMaxPooling1D()(t))
    x = layers.Concatenate()(towers)
    x = layers.Dropout(cfg["dropout"])(x)
    x = layers.Dense(32, activation="relu")(x)
    return keras.Model(tokens, layers.Dense(3, activation="softmax")(x))


def main(cfg):
    keras.utils.set_random_seed(0)
    tokens = np.random.randint(0, cfg["vocab"], (320, cfg["length"]))
    labels = (tokens < 3).any(1).astype(int) + (tokens > 56).any(1).astype(int)
    model = text_cnn(cfg)
    settings = cfg["optimizer"]
    optimizer = keras.optimizers.Adam(learning_rate=settings["learning_rate"])
    model.compile(optimizer=optimizer, loss="sparse_categorical_crossentropy", metrics=["accuracy"])
    history = model.fit(
        tokens, labels, epochs=cfg["epochs"], batch_size=cfg["batch_size"], validation_split=0.2, verbose=0
    )
    print([round(v, 3) for v in history.history["loss"]])


if __name__ == "__main__":
    main(SETTINGS)
