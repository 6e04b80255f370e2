import numpy as np
from keras import Sequential, layers, optimizers, utils

utils.set_random_seed(9)

MAX_WORDS = 50
MAX_LEN = 12


def load_reviews(n=256):
    x = np.random.randint(1, MAX_WORDS, size=(n, MAX_LEN))
    y = x[:, -1] < MAX_WORDS // 2
    return x, y.astype("float32")


def lstm_model():
    model = Sequential(
        [
            layers.Input((MAX_LEN,)),
            layers.Embedding(MAX_WORDS, 16),
            layers.LSTM(8),
            layers.Dense(1, activation="sigmoid"),
        ]
    )
    opt = optimizers.Adam(learning_rate=0.008)
    model.compile(loss="binary_crossentropy", optimizer=opt, metrics=["accuracy"])
    return model


x_train, y_train = load_reviews()
x_test, y_test = load_reviews(48)
net = lstm_model()
net.fit(x_train, y_train, batch_size=32, epochs=4, validation_data=(x_test, y_test), verbose=0)
loss, acc = net.evaluate(x_test, y_test, verbose=0)
print(f"loss {loss:.4f} accuracy {acc:.3f}")
