"""Collect outputs for a plot."""
import numpy as np


class Collector:
    def __init__(self):
        self.rows = []

    def add(self, outputs):
        self.rows.append(outputs.cpu().numpy())

    def stacked(self):
        return np.concatenate(self.rows)
