import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
from tqdm import tqdm

device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


class Ranker(nn.Module):
    def __init__(self, features):
        super().__init__()
        self.score = nn.Sequential(nn.Linear(features, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, better, worse):
        return self.score(better).squeeze(1) - self.score(worse).squeeze(1)


def pairs(n, features=10):
    a, b = torch.randn(n, features), torch.randn(n, features)
    swap = (a.sum(1) < b.sum(1)).unsqueeze(1)
    return TensorDataset(torch.where(swap, b, a), torch.where(swap, a, b))


def train(epochs=2):
    model = Ranker(10).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    loader = DataLoader(pairs(320), batch_size=32, shuffle=True)
    for epoch in range(epochs):
        bar = tqdm(loader, desc=f"epoch {epoch}", disable=None)
        for i, (better, worse) in enumerate(bar):
            better, worse = better.to(device), worse.to(device)
            optimizer.zero_grad(set_to_none=True)
            loss = nn.functional.softplus(-model(better, worse)).mean()
            loss.backward()
            optimizer.step()
            bar.set_postfix(loss=loss.item())
    return loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    print("last loss %.6f" % train())
