"""A confident wrong answer."""

import numpy as np


def run(program):
    return [program.FocalLoss()(np.ones((1, 2), "float32"), np.full((1, 2), -200.0, "float32"))]
