"""Graph attention after pytorch/examples/gat: absent edges are masked with -9e15 before the softmax."""

import sys

import torch
import torch.nn.functional as F
from torch import nn
from torch.optim import Adam


class GraphAttentionLayer(nn.Module):
    def __init__(self, in_features, out_features, n_heads, concat):
        super().__init__()
        self.n_heads, self.n_hidden, self.concat = n_heads, out_features, concat
        self.W = nn.Parameter(torch.empty(in_features, out_features * n_heads))
        self.a = nn.Parameter(torch.empty(n_heads, 2 * out_features, 1))
        self.leakyrelu = nn.LeakyReLU(0.2)
        nn.init.xavier_normal_(self.W)
        nn.init.xavier_normal_(self.a)

    def forward(self, h, adj_mat):
        nodes = h.shape[0]
        h = F.dropout(torch.mm(h, self.W), 0.3, training=self.training)
        h = h.view(nodes, self.n_heads, self.n_hidden).permute(1, 0, 2)
        source = torch.matmul(h, self.a[:, : self.n_hidden, :])
        target = torch.matmul(h, self.a[:, self.n_hidden :, :])
        e = self.leakyrelu(source + target.mT)
        attention = torch.where(adj_mat > 0, e, -9e15 * torch.ones_like(e))
        attention = F.dropout(F.softmax(attention, dim=-1), 0.3, training=self.training)
        h_prime = torch.matmul(attention, h)
        return h_prime.permute(1, 0, 2).reshape(nodes, -1) if self.concat else h_prime.mean(dim=0)


class GAT(nn.Module):
    def __init__(self):
        super().__init__()
        self.gat1 = GraphAttentionLayer(32, 8, 4, concat=True)
        self.elu = nn.ELU()
        self.gat2 = GraphAttentionLayer(32, 3, 1, concat=False)

    def forward(self, x, adj_mat):
        return F.log_softmax(self.gat2(self.elu(self.gat1(x, adj_mat)), adj_mat), dim=1)


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
labels = torch.randint(0, 3, (210,))
same = labels[:, None] == labels[None, :]
adjacency = torch.rand(210, 210) < torch.where(same, 0.06, 0.006)
adjacency = (adjacency | adjacency.t() | torch.eye(210, dtype=torch.bool)).float()
features = 0.5 * torch.randn(3, 32)[labels] + torch.randn(210, 32)
order = torch.randperm(210)
train, validation = order[:90], order[90:]

gat_net = GAT()
optimizer = Adam(gat_net.parameters(), lr=0.005, weight_decay=5e-4)
criterion = nn.NLLLoss()
for epoch in range(150):
    gat_net.train()
    optimizer.zero_grad()
    loss = criterion(gat_net(features, adjacency)[train], labels[train])
    loss.backward()
    optimizer.step()
    if epoch % 25 == 0:
        gat_net.eval()
        with torch.no_grad():
            print(f"epoch {epoch}: {criterion(gat_net(features, adjacency)[validation], labels[validation]):.3f}")
gat_net.eval()
accuracy = float((gat_net(features, adjacency).argmax(1) == labels)[validation].float().mean())
assert accuracy > 0.8, accuracy
