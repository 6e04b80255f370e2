import torch
import torch.nn as nn


class AttentionPooling(nn.Module):
    """Weighted mean of the rows of a bag."""

    def __init__(self, dim):
        super().__init__()
        self.key = nn.Linear(dim, dim)
        self.query = nn.Parameter(torch.randn(dim) * dim**-0.5)

    def forward(self, bag):
        weights = torch.softmax(torch.tanh(self.key(bag)) @ self.query, dim=1)
        return (weights.unsqueeze(-1) * bag).sum(dim=1)


class BagClassifier(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.pool = AttentionPooling(dim)
        self.head = nn.Linear(dim, 1)

    def forward(self, bag):
        return self.head(self.pool(bag)).squeeze(-1)


def make_bags(n, size=10, dim=8):
    labels = torch.arange(n) % 2
    bags = torch.randn(n, size, dim)
    bags[labels == 1, 0] += 2.0
    return bags, labels.float()


if __name__ == "__main__":
    torch.manual_seed(0)
    model = BagClassifier()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    criterion = nn.BCEWithLogitsLoss()
    bags, labels = make_bags(400)
    for epoch in range(10):
        model.train()
        for index in torch.randperm(len(bags)).split(40):
            optimizer.zero_grad()
            loss = criterion(model(bags[index]), labels[index])
            loss.backward()
            optimizer.step()
    print(f"loss {loss.item():.4f}")
