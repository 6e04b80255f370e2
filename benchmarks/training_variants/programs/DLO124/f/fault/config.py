from dataclasses import dataclass, field
from typing import List


@dataclass
class ModelConfig:
    in_features: int = 16
    hidden: List[int] = field(default_factory=lambda: [64, 32])
    n_classes: int = 3


@dataclass
class OptimConfig:
    lr: float = 0.5
    weight_decay: float = 0.01
    epochs: int = 5
    batch_size: int = 50
