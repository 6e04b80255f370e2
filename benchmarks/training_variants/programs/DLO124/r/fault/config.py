"""Settings of a run."""
from dataclasses import dataclass, field


@dataclass
class OptimizerConfig:
    lr: float = 0.5
    weight_decay: float = 0.01
    betas: tuple = (0.9, 0.999)


@dataclass
class Config:
    epochs: int = 3
    optimizer: OptimizerConfig = field(default_factory=OptimizerConfig)
