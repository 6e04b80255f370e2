import keras
import numpy as np
from keras import layers


def scorer(features):
    query, candidate = keras.Input((features,)), keras.Input((features,))
    shared = layers.Dense(16, activation="tanh")
    joined = layers.Concatenate()([shared(query), shared(candidate)])
    return keras.Model([query, candidate], layers.Dense(1, activation="sigmoid")(joined))


class Retriever:
    def __init__(self, model, corpus):
        self.model, self.corpus = model, corpus

    def rank(self, query, k=3):
        scores = []
        for row in self.corpus:
            score = self.model.predict([query[None], row[None]], verbose=0)
            scores.append(float(score[0, 0]))
        return np.argsort(scores)[::-1][:k].tolist()


def main():
    keras.utils.set_random_seed(1)
    corpus = np.random.randn(24, 8).astype("float32")
    model = scorer(8)
    model.compile("adam", loss="binary_crossentropy")
    pairs = np.random.randint(0, 24, (200, 2))
    match = (np.abs(pairs[:, 0] - pairs[:, 1]) < 4).astype("float32")
    model.fit([corpus[pairs[:, 0]], corpus[pairs[:, 1]]], match, epochs=3, verbose=0)
    retriever = Retriever(model, corpus)
    print([retriever.rank(q) for q in corpus[:2]])


if __name__ == "__main__":
    main()
