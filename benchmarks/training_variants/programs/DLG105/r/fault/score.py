"""Score rows with a Keras model."""
import numpy as np


def score_all(model, rows):
    scores = []
    for row in rows:
        scores.append(model.predict(row[np.newaxis], verbose=0)[0, 0])
    return np.array(scores)
