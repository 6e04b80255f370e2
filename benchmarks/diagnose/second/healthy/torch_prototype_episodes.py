"""Few-shot recognition of drawn signs by distances to class means, trained in episodes."""

import argparse

import torch
import torch.nn.functional as F
from torch import nn
from torch.utils.data import DataLoader, Dataset, Sampler

SIZE = 12


class Signs(Dataset):
    """Each class is a coarse random pattern; its examples are moved and noisy copies."""

    def __init__(self, classes, per_class, generator):
        coarse = (torch.rand(classes, 1, 4, 4, generator=generator) < 0.45).float()
        drawn = F.interpolate(coarse, scale_factor=2)
        drawn = F.pad(drawn, (2, 2, 2, 2))
        pictures, labels = [], []
        for label in range(classes):
            for _ in range(per_class):
                shift = torch.randint(-1, 2, (2,), generator=generator).tolist()
                noise = 0.25 * torch.randn(1, SIZE, SIZE, generator=generator)
                pictures.append(drawn[label].roll(shift, dims=(1, 2)) + noise)
                labels.append(label)
        self.pictures, self.labels = torch.stack(pictures), torch.tensor(labels)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        return self.pictures[index], self.labels[index]


class Episodes(Sampler):
    """Batches of indices that hold a few examples of a few classes, class after class."""

    def __init__(self, labels, ways, per_class, count):
        self.rows = [torch.nonzero(labels == label).flatten() for label in labels.unique()]
        self.ways, self.per_class, self.count = ways, per_class, count

    def __len__(self):
        return self.count

    def __iter__(self):
        for _ in range(self.count):
            classes = torch.randperm(len(self.rows))[: self.ways].tolist()
            chosen = [self.rows[label][torch.randperm(len(self.rows[label]))[: self.per_class]] for label in classes]
            yield torch.cat(chosen).tolist()


def embedding_network(width):
    return nn.Sequential(
        nn.Conv2d(1, width, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Conv2d(width, 2 * width, 3, padding=1),
        nn.ReLU(),
        nn.MaxPool2d(2),
        nn.Flatten(),
        nn.Linear(2 * width * 9, 32),
    )


def episode_loss(network, pictures, ways, shots):
    """Loss and accuracy of the queries of an episode."""
    codes = network(pictures).unflatten(0, (ways, -1))
    prototypes = codes[:, :shots].mean(dim=1)
    queries = codes[:, shots:]
    targets = torch.arange(ways).repeat_interleave(queries.shape[1])
    logits = -torch.cdist(queries.flatten(0, 1), prototypes).square()
    accuracy = (logits.argmax(1) == targets).float().mean()
    return F.cross_entropy(logits, targets), accuracy.item()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("seed", nargs="?", type=int, default=0)
    parser.add_argument("--ways", type=int, default=5)
    parser.add_argument("--shots", type=int, default=3)
    parser.add_argument("--queries", type=int, default=6)
    parser.add_argument("--episodes", type=int, default=150)
    parser.add_argument("--rounds", type=int, default=4)
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    generator = torch.Generator().manual_seed(args.seed)
    known, unknown = Signs(60, 20, generator), Signs(20, 20, generator)
    per_class = args.shots + args.queries
    train = DataLoader(known, batch_sampler=Episodes(known.labels, args.ways, per_class, args.episodes))
    test = DataLoader(unknown, batch_sampler=Episodes(unknown.labels, args.ways, per_class, 100))
    network = embedding_network(16)
    optimizer = torch.optim.Adam(network.parameters(), lr=1e-3)
    for number in range(args.rounds):
        network.train()
        losses, hits = [], []
        for pictures, _ in train:
            loss, accuracy = episode_loss(network, pictures, args.ways, args.shots)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            losses.append(loss.item())
            hits.append(accuracy)
        network.eval()
        with torch.no_grad():
            new = [episode_loss(network, pictures, args.ways, args.shots)[1] for pictures, _ in test]
        print(
            f"round {number}: loss {sum(losses) / len(losses):.4f}, "
            f"known classes {sum(hits) / len(hits):.3f}, new classes {sum(new) / len(new):.3f}"
        )


if __name__ == "__main__":
    main()
