"""A batch of padding."""

import numpy as np


def run(program):
    return [program.masked_loss(np.full((1, 3), -1), np.zeros((1, 3, 7), "float32"))]
