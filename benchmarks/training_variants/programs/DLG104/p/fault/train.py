"""Siamese similarity model; ROC-AUC of the training batch is logged with scikit-learn."""
import torch
import torch.nn.functional as F
from sklearn.metrics import roc_auc_score
from torch import nn


class Tower(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(n_in, 48), nn.LeakyReLU(0.1), nn.Linear(48, n_out))

    def forward(self, x):
        return F.normalize(self.f(x), dim=1)


class Siamese(nn.Module):
    def __init__(self, n_in=16, n_out=8):
        super().__init__()
        self.tower = Tower(n_in, n_out)
        self.temperature = nn.Parameter(torch.tensor(5.0))
        self.offset = nn.Parameter(torch.tensor(0.0))

    def forward(self, a, b):
        return self.temperature * (self.tower(a) * self.tower(b)).sum(1) + self.offset


def pairs(batch, gen):
    style = torch.randn(batch, 16, generator=gen)
    same = torch.rand(batch, generator=gen) < 0.5
    other = torch.where(same[:, None], style, torch.randn(batch, 16, generator=gen))
    noise = lambda: 0.5 * torch.randn(batch, 16, generator=gen)
    return style + noise(), other + noise(), same.float()


def batch_auc(scores, target):
    return roc_auc_score(target.numpy(), scores.numpy())


def main(steps=120, log_every=40):
    torch.manual_seed(14)
    gen = torch.Generator().manual_seed(15)
    model = Siamese()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3, eps=1e-7)
    for step in range(1, steps + 1):
        a, b, same = pairs(64, gen)
        scores = model(a, b)
        loss = F.binary_cross_entropy_with_logits(scores, same)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % log_every == 0:
            print(f"{step}: loss {loss.item():.3f} auc {batch_auc(scores, same):.3f}")


if __name__ == "__main__":
    main()
