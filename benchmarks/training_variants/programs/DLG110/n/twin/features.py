import torch
from torch import nn


class Extractor:
    """Runs a frozen trunk over batches and keeps what comes out of it."""

    def __init__(self, trunk):
        self.trunk = trunk.eval().requires_grad_(False)

    @torch.inference_mode()
    def collect(self, batches):
        features = []
        for batch in batches:
            out = self.trunk(batch)
            features.append(out)
        return torch.cat(features)


def nearest(bank, query, k=3):
    return torch.cdist(query, bank).topk(k, largest=False).indices


def main():
    torch.manual_seed(9)
    trunk = nn.Sequential(nn.Linear(10, 32), nn.ReLU(), nn.Linear(32, 16))
    extractor = Extractor(trunk)
    bank = extractor.collect(torch.randn(320, 10).split(32))
    print(bank.shape, nearest(bank, bank[:2])[:, 0].tolist())


if __name__ == "__main__":
    main()
