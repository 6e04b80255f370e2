"""Weighted multi-class training on one GPU; class weights are computed from the label counts."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

DEVICE = torch.device("cuda:0")


def imbalanced(n=3000, classes=5, features=24):
    y = torch.multinomial(torch.tensor([0.6, 0.2, 0.1, 0.07, 0.03]), n, replacement=True)
    centres = torch.randn(classes, features)
    return TensorDataset(centres[y] + 1.5 * torch.randn(n, features), y)


class Classifier(nn.Module):
    def __init__(self, features, classes, width=128):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(features, width), nn.LayerNorm(width), nn.GELU(), nn.Linear(width, classes))

    def forward(self, x):
        return self.net(x)


class Session:
    def __init__(self, dataset, batch=128, lr=1e-3):
        labels = dataset.tensors[1]
        counts = torch.bincount(labels, minlength=5).float()
        self.loader = DataLoader(dataset, batch_size=batch, shuffle=True, num_workers=2, pin_memory=True)
        self.model = Classifier(24, 5).to(DEVICE)
        self.loss = nn.CrossEntropyLoss(weight=counts.sum() / (5 * counts)).to(DEVICE)
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=lr, weight_decay=0.02)

    def epoch(self):
        self.model.train()
        total = torch.zeros((), device=DEVICE)
        for x, y in self.loader:
            x, y = x.to(DEVICE, non_blocking=True), y.to(DEVICE, non_blocking=True)
            loss = self.loss(self.model(x), y)
            self.optimizer.zero_grad(set_to_none=True)
            loss.backward()
            self.optimizer.step()
            total += loss.detach()
        return (total / len(self.loader)).item()


if __name__ == "__main__":
    torch.manual_seed(10)
    session = Session(imbalanced())
    for i in range(5):
        print(f"epoch {i}: weighted loss {session.epoch():.4f}")
