"""A silent clip."""

import numpy as np


def run(program):
    return [program.UnitRange()(np.zeros((1, 4, 5), "float32"))]
