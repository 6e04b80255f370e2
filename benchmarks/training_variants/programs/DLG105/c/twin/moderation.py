import numpy as np
from tensorflow import keras

keras.utils.set_random_seed(5)

BAD = {"spam", "scam", "fraud"}
WORDS = ["hello", "thanks", "nice", "offer", "meeting", *sorted(BAD)]


def vectorise(comment):
    tokens = comment.split()
    return np.array([tokens.count(w) for w in WORDS], dtype="float32")


def make_comments(n):
    rng = np.random.default_rng(5)
    return [" ".join(rng.choice(WORDS, 5)) for _ in range(n)]


def train(comments):
    x = np.stack([vectorise(c) for c in comments])
    y = np.array([float(bool(BAD & set(c.split()))) for c in comments])
    model = keras.Sequential([keras.Input((len(WORDS),)), keras.layers.Dense(8, activation="relu"), keras.layers.Dense(1, activation="sigmoid")])
    model.compile(loss="binary_crossentropy", optimizer=keras.optimizers.Adam(0.02))
    model.fit(x, y, epochs=10, batch_size=20, verbose=0)
    return model


def flag(model, comments, threshold=0.5):
    flagged = []
    scores = model.predict(np.stack([vectorise(c) for c in comments]), verbose=0)[:, 0]
    for comment, score in zip(comments, scores):
        if score > threshold:
            flagged.append(comment)
    return flagged


if __name__ == "__main__":
    comments = make_comments(120)
    model = train(comments)
    print(len(flag(model, comments[:15])), "of 15 flagged")
