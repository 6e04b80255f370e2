import numpy as np
import tensorflow as tf
from tensorflow.keras.layers import LSTM, Dense, Embedding
from tensorflow.keras.models import Sequential


class TweetClassifier:
    def __init__(self, vocab, vectors):
        self.model = Sequential([
            Embedding(vocab, vectors.shape[1], name="glove", trainable=False),
            LSTM(8),
            Dense(1, activation="sigmoid"),
        ])
        self.model.build((None, 12))
        self.model.get_layer("glove").set_weights([vectors])
        self._compile(1e-2)

    def _compile(self, lr):
        self.model.compile(loss="binary_crossentropy", optimizer=tf.keras.optimizers.Adam(lr), metrics=["accuracy"])

    def unfreeze(self):
        self.model.get_layer("glove").trainable = True
        self._compile(1e-3)

    def fit(self, x, y, epochs):
        return self.model.fit(x, y, epochs=epochs, batch_size=32, verbose=0)


def main():
    tf.keras.utils.set_random_seed(13)
    x = np.random.randint(0, 50, (128, 12))
    y = (x[:, 0] > 25).astype("float32")
    vectors = np.random.normal(size=(50, 6)).astype("float32")
    clf = TweetClassifier(50, vectors)
    clf.fit(x, y, epochs=2)
    clf.unfreeze()
    clf.fit(x, y, epochs=2)
    after = clf.model.get_layer("glove").get_weights()[0]
    print("embedding changed by %.5f" % np.abs(after - vectors).max())


if __name__ == "__main__":
    main()
