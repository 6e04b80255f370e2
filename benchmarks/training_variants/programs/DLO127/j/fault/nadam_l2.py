import argparse

import torch
from torch import nn


class GCNLayer(nn.Module):
    def __init__(self, cin, cout):
        super().__init__()
        self.linear = nn.Linear(cin, cout)

    def forward(self, x, adjacency):
        return adjacency @ self.linear(x)


class GCN(nn.Module):
    def __init__(self, cin, hidden, classes):
        super().__init__()
        self.g1, self.g2, self.g3 = GCNLayer(cin, hidden), GCNLayer(hidden, hidden), GCNLayer(hidden, classes)
        self.dropout = nn.Dropout(0.3)

    def forward(self, x, adjacency):
        x = self.dropout(torch.relu(self.g1(x, adjacency)))
        x = self.dropout(torch.relu(self.g2(x, adjacency)))
        return self.g3(x, adjacency)


def random_graph(n, classes):
    label = torch.arange(n) % classes
    same = (label.unsqueeze(0) == label.unsqueeze(1)).float()
    edges = ((torch.rand(n, n) < 0.05 + 0.2 * same).float() + torch.eye(n)).clamp(max=1)
    edges = torch.maximum(edges, edges.t())
    degree = edges.sum(1).rsqrt()
    return degree.unsqueeze(1) * edges * degree.unsqueeze(0), label


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--weight-decay", type=float, default=0.01)
    parser.add_argument("--epochs", type=int, default=30)
    args = parser.parse_args()
    torch.manual_seed(0)
    adjacency, label = random_graph(60, 3)
    x = torch.randn(60, 8)
    train = torch.rand(60) < 0.5
    model = GCN(8, 16, 3)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=args.weight_decay)
    for epoch in range(args.epochs):
        model.train()
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(x, adjacency)[train], label[train])
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        accuracy = (model(x, adjacency).argmax(1) == label)[~train].float().mean().item()
    print(f"loss {loss.item():.4f} test {accuracy:.3f}")


if __name__ == "__main__":
    main()
