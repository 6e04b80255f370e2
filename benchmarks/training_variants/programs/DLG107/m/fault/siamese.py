import torch
import torch.nn.functional as F
from torch import nn


class Siamese(nn.Module):
    def __init__(self, width=16):
        super().__init__()
        self.embed = nn.Sequential(nn.Linear(6, width), nn.ReLU(), nn.Linear(width, 8))
        self.temperature = nn.Parameter(torch.tensor(1.0))

    def forward(self, left, right):
        return F.cosine_similarity(self.embed(left), self.embed(right)) * self.temperature

    def clamp_(self):
        with torch.no_grad():
            self.temperature.clamp_(0.05, 20.0)


class PairTrainer:
    def __init__(self, net, parallel=True):
        self.net = nn.DataParallel(net) if parallel else net
        self.optim = torch.optim.Adam(net.parameters(), lr=1e-3)

    def fit(self, pairs):
        total = 0.0
        for left, right, same in pairs:
            self.optim.zero_grad()
            loss = F.binary_cross_entropy_with_logits(self.net(left, right), same)
            loss.backward()
            self.optim.step()
            self.net.clamp_()
            total += loss.item()
        return total / len(pairs)


def main():
    torch.manual_seed(0)
    pairs = [(torch.randn(16, 6), torch.randn(16, 6), torch.randint(2, (16,)).float()) for _ in range(4)]
    print(PairTrainer(Siamese()).fit(pairs))


if __name__ == "__main__":
    main()
