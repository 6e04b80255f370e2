"""Keras regression on the diabetes table; features are standardised."""
import keras
from sklearn.datasets import load_diabetes
from sklearn.model_selection import train_test_split
from sklearn.preprocessing import StandardScaler


class Standardised:
    def __init__(self, seed):
        x, y = load_diabetes(return_X_y=True, scaled=False)
        self.x_train, self.x_hold, self.y_train, self.y_hold = train_test_split(x, y / 100, test_size=0.06, random_state=seed)
        self.scaler = StandardScaler()
        self.x_train = self.scaler.fit_transform(self.x_train)
        self.x_hold = self.scaler.fit_transform(self.x_hold)


def network():
    model = keras.Sequential([keras.Input((10,)), keras.layers.Dense(16, activation="relu"), keras.layers.Dense(1)])
    model.compile(keras.optimizers.Adam(learning_rate=5e-3, beta_2=0.99), loss="mse")
    return model


def main():
    keras.utils.set_random_seed(31)
    data = Standardised(seed=31)
    model = network()
    model.fit(data.x_train, data.y_train, batch_size=32, epochs=20, validation_split=0.1, verbose=0)
    print(f"held-out error {model.evaluate(data.x_hold, data.y_hold, verbose=0):.4f}")


if __name__ == "__main__":
    main()
