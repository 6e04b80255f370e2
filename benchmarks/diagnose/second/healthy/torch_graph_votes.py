"""Two rounds of graph convolution; few nodes have labels, neighbours mostly agree."""

import sys

import torch
import torch.nn.functional as F
from torch import nn

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
NODES, PARTIES = 300, 3
party = torch.randint(PARTIES, (NODES,))
same = party.unsqueeze(0) == party.unsqueeze(1)
edges = torch.triu(torch.rand(NODES, NODES) < torch.where(same, 0.05, 0.006), 1)
adjacency = (edges | edges.T).float() + torch.eye(NODES)
degree = adjacency.sum(1).rsqrt()
adjacency = degree.unsqueeze(1) * adjacency * degree
features = torch.randn(NODES, 8) + 0.5 * F.one_hot(party, 8).float()
labelled = torch.randperm(NODES)[:45]
others = torch.ones(NODES, dtype=torch.bool).index_fill(0, labelled, False)


class GraphNet(nn.Module):
    def __init__(self, hidden=16):
        super().__init__()
        self.first, self.second = nn.Linear(8, hidden), nn.Linear(hidden, PARTIES)

    def forward(self, x):
        h = F.dropout(F.relu(adjacency @ self.first(x)), 0.3, training=self.training)
        return adjacency @ self.second(h)


model = GraphNet()
optimizer = torch.optim.Adam(model.parameters(), lr=0.02, weight_decay=5e-3)
for step in range(1, 121):
    model.train()
    loss = F.cross_entropy(model(features)[labelled], party[labelled])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if step % 30 == 0:
        model.eval()
        with torch.no_grad():
            accuracy = (model(features).argmax(1) == party)[others].float().mean().item()
        print(f"step {step}: loss {loss.item():.4f}, accuracy of the others {accuracy:.3f}")
