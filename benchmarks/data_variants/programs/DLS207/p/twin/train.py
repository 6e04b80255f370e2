"""Keras classifier built from a list of layers."""
import keras
from sklearn.datasets import load_digits
from sklearn.model_selection import train_test_split


def layers_of(classes, rate):
    yield keras.Input((64,))
    yield keras.layers.Dense(64, activation="relu")
    yield keras.layers.Dropout(rate)
    yield keras.layers.Dense(classes, activation="softmax")


def main(epochs=6):
    keras.utils.set_random_seed(16)
    x, y = load_digits(return_X_y=True)
    x_train, x_test, y_train, y_test = train_test_split(x / 16.0, y, test_size=0.25, random_state=16, stratify=y)
    model = keras.Sequential(list(layers_of(10, 0.3)))
    model.compile(
        keras.optimizers.Adam(learning_rate=3e-3, beta_2=0.99), loss="sparse_categorical_crossentropy", metrics=["accuracy"]
    )
    history = model.fit(x_train, y_train, batch_size=40, epochs=epochs, validation_split=0.1, verbose=0)
    _, accuracy = model.evaluate(x_test, y_test, verbose=0)
    print(f"training loss {history.history['loss'][-1]:.3f}, test accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
