"""A padded row: all features are 0."""

import numpy as np


def run(program):
    return [program.RowNormalization()(np.zeros((1, 3, 4), "float32"))]
