"""Sentiment classifier over bags of word ids, evaluated after every epoch."""
import logging
import sys

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

logging.basicConfig(stream=sys.stdout, level=logging.INFO, format="%(message)s")
log = logging.getLogger("sentiment")

VOCAB, LENGTH, CLASSES = 400, 16, 2


def synthetic_reviews(n: int):
    ids = torch.randint(0, VOCAB, (n, LENGTH))
    score = torch.where(ids < VOCAB // 2, 1, -1).sum(dim=1)
    return TensorDataset(ids, (score > 0).long())


class BagClassifier(nn.Module):
    def __init__(self, dim=32, drop=0.5):
        super().__init__()
        self.embed = nn.EmbeddingBag(VOCAB, dim, mode="mean")
        self.drop = nn.Dropout(drop)
        self.out = nn.Linear(dim, CLASSES)

    def forward(self, ids):
        return self.out(self.drop(self.embed(ids)))


def accuracy(net: nn.Module, loader: DataLoader) -> float:
    net.eval()
    hits = 0
    with torch.inference_mode():
        for ids, label in loader:
            hits += int((net(ids).argmax(1) == label).sum())
    return hits / len(loader.dataset)


def train(net, loader, optimiser):
    net.train()
    for ids, label in loader:
        optimiser.zero_grad()
        nn.functional.cross_entropy(net(ids), label).backward()
        optimiser.step()


if __name__ == "__main__":
    torch.manual_seed(3)
    data = synthetic_reviews(2400)
    train_set, dev_set = random_split(data, [2000, 400], generator=torch.Generator().manual_seed(3))
    train_loader = DataLoader(train_set, batch_size=32, shuffle=True)
    dev_loader = DataLoader(dev_set, batch_size=100)
    net = BagClassifier()
    optimiser = torch.optim.Adam(net.parameters(), lr=5e-3)
    for epoch in range(6):
        train(net, train_loader, optimiser)
        log.info("epoch %d dev accuracy %.4f", epoch, accuracy(net, dev_loader))
