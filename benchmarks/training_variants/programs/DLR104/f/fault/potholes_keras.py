import numpy as np
from tensorflow import keras
from tensorflow.keras import layers, models


def create_model():
    model = models.Sequential([
        keras.Input((20, 20, 1)),
        layers.Conv2D(8, 3, activation="relu"),
        layers.MaxPooling2D(),
        layers.Flatten(),
        layers.Dense(1, activation="sigmoid"),
    ])
    model.compile(optimizer="adam", loss="binary_crossentropy", metrics=["accuracy"])
    return model


def train():
    x = np.random.rand(64, 20, 20, 1).astype("float32")
    y = (x.mean((1, 2, 3)) > 0.5).astype("float32")
    model = create_model()
    model.fit(x, y, epochs=2, batch_size=16, verbose=0)
    model.save_weights("potholes.weights.h5")


def predict(images):
    model = keras.models.load_model("potholes.weights.h5")
    return model.predict(images, verbose=0)


if __name__ == "__main__":
    keras.utils.set_random_seed(0)
    train()
    print(predict(np.zeros((2, 20, 20, 1), dtype="float32")).shape)
