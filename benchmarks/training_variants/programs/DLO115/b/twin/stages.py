import keras
from keras import layers


def build(width, classes):
    inputs = keras.Input((width,))
    hidden = layers.Dense(32, activation="relu", name="enc_1")(inputs)
    hidden = layers.Dense(16, activation="relu", name="enc_2")(hidden)
    outputs = layers.Dense(classes, activation="softmax", name="out")(hidden)
    return keras.Model(inputs, outputs)


def compile_model(model, rate):
    model.compile(
        optimizer=keras.optimizers.Adam(learning_rate=rate),
        loss="sparse_categorical_crossentropy",
        metrics=["accuracy"],
    )


def freeze_encoder(model):
    for layer in model.layers:
        if layer.name.startswith("enc_"):
            layer.trainable = False
