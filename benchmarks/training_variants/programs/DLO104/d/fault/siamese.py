"""Contrastive training of a small siamese encoder on vectors."""
import torch
import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, d_in=20, d_out=8):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(d_in, 64), nn.ReLU(inplace=True), nn.Linear(64, d_out))

    def forward(self, a, b):
        return F.normalize(self.layers(a), dim=-1), F.normalize(self.layers(b), dim=-1)


class ContrastiveLoss(nn.Module):
    def __init__(self, margin=0.8):
        super().__init__()
        self.margin = margin

    def forward(self, za, zb, same):
        d = (za - zb).pow(2).sum(-1).clamp_min(1e-9).sqrt()
        return (same * d.pow(2) + (1 - same) * F.relu(self.margin - d).pow(2)).mean()


class Runner:
    def __init__(self, seed=11):
        self.gen = torch.Generator().manual_seed(seed)
        torch.manual_seed(seed)
        self.encoder = Encoder()
        self.loss = ContrastiveLoss()
        self.optimizer = torch.optim.SGD(self.encoder.parameters(), lr=0.2)
        self.centers = torch.randn(5, 20, generator=self.gen)

    def pairs(self, n=64):
        i = torch.randint(0, 5, (n,), generator=self.gen)
        j = torch.where(torch.rand(n, generator=self.gen) < 0.5, i, torch.randint(0, 5, (n,), generator=self.gen))
        noise = torch.randn(2, n, 20, generator=self.gen)
        return self.centers[i] + noise[0], self.centers[j] + noise[1], (i == j).float()

    def run(self, steps=60):
        for step in range(steps):
            a, b, same = self.pairs()
            self.optimizer.zero_grad
            loss = self.loss(*self.encoder(a, b), same)
            loss.backward()
            self.optimizer.step()
            if (step + 1) % 20 == 0:
                print(step + 1, f"{loss.item():.4f}")


if __name__ == "__main__":
    Runner().run()
