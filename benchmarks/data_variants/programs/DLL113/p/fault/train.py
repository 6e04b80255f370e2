"""Label distribution learning: match the votes of annotators with a KL divergence."""
import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def votes(n, seed):
    gen = torch.Generator().manual_seed(seed)
    x = torch.randn(n, 10, generator=gen)
    w = torch.randn(10, 4, generator=torch.Generator().manual_seed(0))
    return TensorDataset(x, torch.softmax(x @ w, dim=1))


class VoteNet(nn.Module):
    def __init__(self, width=32):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(10, width), nn.ReLU(), nn.Linear(width, 4))

    def forward(self, x):
        return self.body(x).softmax(dim=1)


def train(model, loader, epochs):
    divergence = nn.KLDivLoss(reduction="batchmean")
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, betas=(0.9, 0.98))
    model.train()
    for _ in range(epochs):
        for x, target in loader:
            loss = divergence(model(x), target)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


def main():
    torch.manual_seed(11)
    model = VoteNet()
    train(model, DataLoader(votes(1000, 1), batch_size=50, shuffle=True), epochs=5)
    model.eval()
    x, target = votes(300, 2).tensors
    with torch.no_grad():
        agreement = (model(x).argmax(1) == target.argmax(1)).float().mean().item()
    print(f"agreement with the majority {agreement:.3f}")


if __name__ == "__main__":
    main()
