"""Discrete-time survival analysis: a hazard per interval.

Follows the reports of infinite survival losses for patients with a certain event.
"""

import keras
from keras import layers, ops


class Hazards(keras.Model):
    def __init__(self, intervals):
        super().__init__()
        self.body = layers.Dense(32, activation="relu")
        self.head = layers.Dense(intervals, activation="sigmoid")

    def call(self, x):
        return self.head(self.body(x))


def survival_loss(hazards, at_risk):
    log_survival = ops.log1p(-ops.minimum(hazards, 0.999))
    return -ops.mean(ops.sum(at_risk * log_survival, axis=-1))


def evaluate(model, patients, at_risk):
    return survival_loss(model(patients), at_risk)


if __name__ == "__main__":
    print(evaluate(Hazards(5), keras.random.normal((4, 7)), ops.ones((4, 5))))
