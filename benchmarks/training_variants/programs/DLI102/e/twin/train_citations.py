import torch
import torch.nn.functional as F
from torch import nn

from layers import GraphConvolution


class GCN(nn.Module):
    def __init__(self, nfeat, nhid, nclass, dropout=0.5):
        super().__init__()
        self.gc1 = GraphConvolution(nfeat, nhid)
        self.gc2 = GraphConvolution(nhid, nclass)
        self.dropout = dropout

    def forward(self, x, adj):
        x = F.dropout(F.relu(self.gc1(x, adj)), self.dropout, training=self.training)
        return F.log_softmax(self.gc2(x, adj), dim=1)


torch.manual_seed(42)
n = 60
labels = torch.arange(n) % 3
adj = ((labels[:, None] == labels[None]) & (torch.rand(n, n) < 0.3)).float() + torch.eye(n)
adj = adj / adj.sum(1, keepdim=True)
features = F.one_hot(labels, 3).float() + torch.randn(n, 3)

model = GCN(3, 16, 3)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)
for epoch in range(30):
    model.train()
    optimizer.zero_grad()
    loss = F.nll_loss(model(features, adj)[:30], labels[:30])
    loss.backward()
    optimizer.step()
model.eval()
print('loss %.4f' % loss.item(), 'acc', (model(features, adj)[30:].argmax(1) == labels[30:]).float().mean().item())
