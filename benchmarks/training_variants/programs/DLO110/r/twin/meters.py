"""Running means."""
from dataclasses import dataclass, field


@dataclass
class Meter:
    total: float = 0.0
    count: int = 0
    values: list = field(default_factory=list)

    def update(self, value, n=1):
        self.total = self.total + value * n
        self.count += n

    @property
    def mean(self):
        return self.total / max(self.count, 1)
