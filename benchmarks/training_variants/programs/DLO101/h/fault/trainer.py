from dataclasses import dataclass

import torch
from torch.nn import functional as F
from torch.utils.data import DataLoader


@dataclass
class TrainConfig:
    max_epochs: int = 4
    batch_size: int = 20
    learning_rate: float = 3e-3
    grad_clip: float = 1.0


class Trainer:
    def __init__(self, model, dataset, config: TrainConfig):
        self.model = model
        self.dataset = dataset
        self.config = config
        self.optimizer = torch.optim.AdamW(model.parameters(), lr=config.learning_rate)

    def _run_batch(self, source, targets):
        output = self.model(source)
        loss = F.cross_entropy(output, targets)
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.model.parameters(), self.config.grad_clip)
        self.optimizer.step()
        return loss.item()

    def _run_epoch(self, epoch):
        loader = DataLoader(self.dataset, batch_size=self.config.batch_size, shuffle=True)
        losses = []
        for source, targets in loader:
            losses.append(self._run_batch(source, targets))
        print(f"epoch {epoch} | steps {len(losses)} | loss {sum(losses) / len(losses):.4f}")

    def train(self):
        self.model.train()
        for epoch in range(self.config.max_epochs):
            self._run_epoch(epoch)
