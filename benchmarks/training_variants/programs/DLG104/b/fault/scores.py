import numpy as np


class ScoreBook:
    """Collects scores and labels of batches as arrays."""

    def __init__(self):
        self.scores, self.labels = [], []

    def add(self, scores, labels):
        self.scores.append(np.asarray(scores))
        self.labels.append(np.asarray(labels))

    def best_threshold(self):
        scores, labels = np.concatenate(self.scores), np.concatenate(self.labels)
        grid = np.linspace(0.1, 0.9, 17)
        accuracy = [((scores > threshold) == labels).mean() for threshold in grid]
        return float(grid[int(np.argmax(accuracy))]), float(np.max(accuracy))
