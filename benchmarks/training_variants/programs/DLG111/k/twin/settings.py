from dataclasses import dataclass

from torch import nn


@dataclass
class Settings:
    features: int = 7
    hidden: int = 24
    rate: float = 0.05
    epochs: int = 4
    batch: int = 32
    cuda: bool = True


def network(settings):
    return nn.Sequential(nn.Linear(settings.features, settings.hidden), nn.ELU(), nn.Linear(settings.hidden, 1))
