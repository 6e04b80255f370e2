import torch
import torch.nn.functional as F

torch.manual_seed(0)

# two communities, dense inside, sparse between
N = 40
community = (torch.arange(N) >= N // 2).long()
p = torch.where(community[:, None] == community[None, :], 0.4, 0.05)
upper = torch.triu((torch.rand(N, N) < p).float(), 1)
adj = upper + upper.t() + torch.eye(N)
d = adj.sum(1).pow(-0.5)
A_hat = d[:, None] * adj * d[None, :]
features = torch.eye(N)

train_mask = torch.zeros(N, dtype=torch.bool)
train_mask[[0, 1, 2, N - 1, N - 2, N - 3]] = True
test_mask = ~train_mask


class GCN(torch.nn.Module):
    def __init__(self, nfeat, nhid, nclass):
        super().__init__()
        self.lin1 = torch.nn.Linear(nfeat, nhid)
        self.lin2 = torch.nn.Linear(nhid, nclass)

    def forward(self, x, a):
        x = F.relu(a @ self.lin1(x))
        x = F.dropout(x, 0.5, training=self.training)
        return F.log_softmax(a @ self.lin2(x), dim=1)


model = GCN(N, 16, 2)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01, weight_decay=5e-4)


def train():
    model.train()
    optimizer.zero_grad()
    out = model(features, A_hat)
    loss = F.nll_loss(out[train_mask], community[train_mask])
    loss.backward()
    optimizer.step()
    return loss.item()


@torch.no_grad()
def test():
    model.eval()
    pred = model(features, A_hat).argmax(dim=1)
    return (pred[test_mask] == community[test_mask]).float().mean().item()


for epoch in range(1, 101):
    loss = train()
    if epoch % 20 == 0:
        print(f"Epoch: {epoch:03d}, Loss: {loss:.4f}, Test: {test():.4f}")
