"""Score rows with a trained network."""
import torch
from torch import nn


class Scorer:
    def __init__(self, path):
        self.network = self._load(path)
        self.network.eval()

    def _load(self, path):
        network = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
        state = torch.load(path, map_location="cpu", weights_only=True)
        network.load_state_dict(state["network"])
        return network

    @torch.no_grad()
    def __call__(self, rows):
        return self.network(rows)
