"""Metric learning for writers' signatures with batch-hard triplets."""

from dataclasses import dataclass

import torch
import torch.nn.functional as F
from torch import nn


@dataclass
class Config:
    writers: int = 24
    per_writer: int = 40
    features: int = 32
    embedding: int = 16
    hidden: int = 64
    margin: float = 0.5
    learning_rate: float = 1e-3
    weight_decay: float = 1e-5
    steps: int = 500
    writers_per_batch: int = 8
    samples_per_writer: int = 4
    seed: int = 0


class Signatures:
    """Strokes of a writer: a mean shape with a writer's own way to vary, seen through a fixed mixing."""

    def __init__(self, config):
        generator = torch.Generator().manual_seed(config.seed)
        mixing = torch.randn(config.features, config.features, generator=generator) / config.features**0.5
        shapes = 1.2 * torch.randn(config.writers, 1, config.features, generator=generator)
        noise = torch.randn(config.writers, config.per_writer, config.features, generator=generator)
        self.samples = torch.tanh((shapes + noise) @ mixing * 1.5)
        self.split = config.per_writer * 3 // 4
        self.generator = generator

    def batch(self, writers, each):
        chosen = torch.randperm(len(self.samples), generator=self.generator)[:writers]
        picks = torch.randint(self.split, (writers, each), generator=self.generator)
        samples = self.samples[chosen.unsqueeze(1), picks]
        return samples.flatten(0, 1), chosen.repeat_interleave(each)

    def gallery(self):
        return self._flat(self.samples[:, : self.split])

    def probes(self):
        return self._flat(self.samples[:, self.split :])

    @staticmethod
    def _flat(samples):
        labels = torch.arange(len(samples)).repeat_interleave(samples.shape[1])
        return samples.flatten(0, 1), labels


class EmbeddingNet(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(config.features, config.hidden),
            nn.ReLU(),
            nn.Linear(config.hidden, config.hidden),
            nn.ReLU(),
            nn.Linear(config.hidden, config.embedding),
        )

    def forward(self, x):
        return self.layers(x)


def pairwise_distances(x, y):
    squared = (x.unsqueeze(1) - y.unsqueeze(0)).pow(2).sum(-1)
    return (squared + 1e-12).sqrt()


def batch_hard_loss(embeddings, labels, margin):
    distances = pairwise_distances(embeddings, embeddings)
    same = labels.unsqueeze(1) == labels.unsqueeze(0)
    furthest_positive = (distances * same).max(1).values
    nearest_negative = (distances + 1e6 * same).min(1).values
    return F.relu(furthest_positive - nearest_negative + margin).mean()


@torch.no_grad()
def nearest_neighbour_accuracy(model, data):
    model.eval()
    gallery, gallery_labels = data.gallery()
    probes, probe_labels = data.probes()
    nearest = pairwise_distances(model(probes), model(gallery)).argmin(1)
    model.train()
    return (gallery_labels[nearest] == probe_labels).float().mean().item()


def main(config):
    torch.manual_seed(config.seed)
    data = Signatures(config)
    model = EmbeddingNet(config)
    optimizer = torch.optim.Adam(model.parameters(), lr=config.learning_rate, weight_decay=config.weight_decay)
    scheduler = torch.optim.lr_scheduler.StepLR(optimizer, step_size=config.steps // 2, gamma=0.5)
    running = 0.0
    for step in range(1, config.steps + 1):
        samples, labels = data.batch(config.writers_per_batch, config.samples_per_writer)
        loss = batch_hard_loss(model(samples), labels, config.margin)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        scheduler.step()
        running += loss.item()
        if step % 50 == 0:
            print(f"step {step}: loss {running / 50:.4f}, nearest neighbour {nearest_neighbour_accuracy(model, data):.3f}")
            running = 0.0
    print(f"final nearest neighbour accuracy {nearest_neighbour_accuracy(model, data):.3f}")


if __name__ == "__main__":
    main(Config())
