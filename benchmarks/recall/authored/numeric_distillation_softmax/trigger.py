"""A teacher that is sure of another class than the student."""

import numpy as np


def run(program):
    logits = np.array([[300.0, -300.0, 0.0]], "float32")
    target = np.array([[1.0, 0.0, 0.0]], "float32")
    return [program.SoftTargetLoss()(target, logits)]
