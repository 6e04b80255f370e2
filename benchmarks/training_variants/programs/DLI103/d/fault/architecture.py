import keras


def build_model(n_features, hidden=16):
    model = keras.Sequential(
        [
            keras.layers.Input((n_features,)),
            keras.layers.Dense(hidden, activation="relu"),
            keras.layers.Dense(1, activation="sigmoid"),
        ]
    )
    model.compile(optimizer="adam", loss="binary_crossentropy")
    return model
