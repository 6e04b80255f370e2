import torch
from torch import nn
from torch.nn import functional as F

from layers import GraphConvolution


class GCN(nn.Module):
    def __init__(self, features, hidden, classes, dropout=0.2):
        super().__init__()
        self.gc1 = GraphConvolution(features, hidden)
        self.gc2 = GraphConvolution(hidden, classes)
        self.dropout = dropout

    def forward(self, x, adjacency):
        x = F.relu(self.gc1(x, adjacency))
        x = F.dropout(x, self.dropout, training=self.training)
        return self.gc2(x, adjacency)


def ring_graph(n):
    index = torch.arange(n)
    rows = torch.cat([index, index, index])
    cols = torch.cat([index, (index + 1) % n, (index - 1) % n])
    return torch.sparse_coo_tensor(torch.stack([rows, cols]), torch.full((3 * n,), 1 / 3), (n, n)).coalesce()


def main():
    torch.manual_seed(0)
    nodes = 120
    adjacency = ring_graph(nodes)
    labels = torch.arange(nodes) // 40
    x = F.one_hot(labels, 3).float() + torch.randn(nodes, 3)
    model = GCN(3, 16, 3)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    for epoch in range(60):
        model.train()
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x, adjacency), labels)
        loss.backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        accuracy = (model(x, adjacency).argmax(1) == labels).float().mean().item()
    print(f"loss {loss.item():.4f} accuracy {accuracy:.3f}")


if __name__ == "__main__":
    main()
