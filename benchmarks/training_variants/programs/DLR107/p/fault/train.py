"""Graph convolution on a synthetic citation network."""
import torch
import torch.nn.functional as F
from torch import nn


class GraphConv(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        self.linear = nn.Linear(n_in, n_out, bias=False)
        self.bias = nn.Parameter(torch.zeros(n_out))

    def forward(self, x, adjacency):
        return adjacency @ self.linear(x) + self.bias


class GCN(nn.Module):
    def __init__(self, n_in, hidden, n_out, dropout=0.5):
        super().__init__()
        self.first, self.second = GraphConv(n_in, hidden), GraphConv(hidden, n_out)
        self.dropout = dropout

    def forward(self, x, adjacency):
        x = F.dropout(F.relu(self.first(x, adjacency)), self.dropout, self.training)
        return self.second(x, adjacency)


def community_graph(nodes=300, groups=3, features=16):
    label = torch.arange(nodes) % groups
    same = label[:, None] == label[None, :]
    edges = torch.rand(nodes, nodes) < torch.where(same, 0.05, 0.005)
    a = (edges | edges.t() | torch.eye(nodes, dtype=torch.bool)).float()
    d = a.sum(1).rsqrt()
    x = 0.3 * F.one_hot(label, features).float() + torch.randn(nodes, features)
    return x, d[:, None] * a * d[None, :], label


def main():
    torch.manual_seed(22)
    x, adjacency, label = community_graph()
    train_mask = torch.rand(len(label)) < 0.2
    model = GCN(x.shape[1], 16, 3)
    optimizer = torch.optim.Adam(model.parameters())
    for epoch in range(1, 121):
        model.train()
        loss = F.cross_entropy(model(x, adjacency)[train_mask], label[train_mask])
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if epoch % 40 == 0:
            model.eval()
            with torch.no_grad():
                hits = model(x, adjacency).argmax(1) == label
            print(f"{epoch}: train loss {loss.item():.3f}, test accuracy {hits[~train_mask].float().mean().item():.3f}")


if __name__ == "__main__":
    main()
