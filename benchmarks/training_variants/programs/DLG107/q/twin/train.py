"""DataParallel training that hands its weights to a single-device service."""
import tempfile
from pathlib import Path

import torch
from torch import nn


class Tokens(nn.Module):
    def __init__(self, vocab=40, dim=24, classes=2):
        super().__init__()
        self.embed = nn.EmbeddingBag(vocab, dim, mode="sum")
        self.classify = nn.Linear(dim, classes)

    def forward(self, ids):
        return self.classify(self.embed(ids))


def spam(n, gen):
    ids = torch.randint(0, 40, (n, 12), generator=gen)
    return ids, ((ids < 6).sum(1) > 1).long()


def train(model, gen, steps):
    optimizer = torch.optim.AdamW(model.parameters(), lr=5e-3, weight_decay=1e-3)
    model.train()
    for _ in range(steps):
        ids, y = spam(64, gen)
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(ids), y).backward()
        optimizer.step()
    return model


def serve(path, gen):
    model = Tokens()
    model.load_state_dict(torch.load(path, weights_only=True, map_location="cpu"))
    model.eval()
    ids, y = spam(400, gen)
    with torch.no_grad():
        return (model(ids).argmax(1) == y).float().mean().item()


def main():
    torch.manual_seed(10)
    gen = torch.Generator().manual_seed(11)
    net = nn.DataParallel(Tokens())
    train(net, gen, steps=150)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "spam.pt"
        torch.save(net.module.state_dict(), path)
        print(f"accuracy of the service {serve(path, gen):.3f}")


if __name__ == "__main__":
    main()
