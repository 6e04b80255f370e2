"""Graph convolution after pytorch/examples/gcn: one graph, few of its nodes have labels, full batch."""

import sys

import torch
import torch.nn.functional as F
from torch import nn, optim


class GraphConv(nn.Module):
    def __init__(self, input_dim, output_dim):
        super().__init__()
        self.kernel = nn.Parameter(torch.empty(input_dim, output_dim))
        self.bias = nn.Parameter(torch.zeros(output_dim))
        nn.init.xavier_normal_(self.kernel)

    def forward(self, features, adjacency):
        return torch.mm(adjacency, torch.mm(features, self.kernel)) + self.bias


class GCN(nn.Module):
    def __init__(self):
        super().__init__()
        self.gc1 = GraphConv(50, 16)
        self.gc2 = GraphConv(16, 4)
        self.dropout = nn.Dropout(0.5)

    def forward(self, features, adjacency):
        x = self.dropout(F.relu(self.gc1(features, adjacency)))
        return F.log_softmax(self.gc2(x, adjacency), dim=1)


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
# Papers of four fields: they cite their own field more often, and use its words more often.
labels = torch.arange(400) % 4
same = labels[:, None] == labels[None, :]
edges = torch.rand(400, 400) < torch.where(same, 0.04, 0.004)
adjacency = ((edges | edges.t()).float() + torch.eye(400)).clamp(max=1)
degree = adjacency.sum(1).rsqrt()
adjacency = degree[:, None] * adjacency * degree[None, :]
words = torch.randint(0, 4, (50,))
features = (torch.rand(400, 50) < torch.where(labels[:, None] == words[None, :], 0.2, 0.05)).float()
features = features / features.sum(1, keepdim=True).clamp(min=1)
known, test = torch.randperm(400)[:80], torch.randperm(400)[:200]

gcn = GCN()
optimizer = optim.Adam(gcn.parameters(), lr=1e-2, weight_decay=5e-4)
criterion = nn.NLLLoss()
for epoch in range(200):
    gcn.train()
    optimizer.zero_grad()
    output = gcn(features, adjacency)
    loss = criterion(output[known], labels[known])
    loss.backward()
    optimizer.step()
gcn.eval()
accuracy = float((gcn(features, adjacency).argmax(1) == labels)[test].float().mean())
print(f"accuracy {accuracy:.3f}")
assert accuracy > 0.8
