import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(1)


class SeedPooling(nn.Module):
    def __init__(self, dim, num_seeds, heads=2):
        super().__init__()
        self.seeds = nn.Parameter(torch.Tensor(1, num_seeds, dim))
        self.attend = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.norm = nn.LayerNorm(dim)

    def forward(self, items):
        query = self.seeds.expand(items.size(0), -1, -1)
        pooled, _ = self.attend(query, items, items)
        return self.norm(query + pooled)


class SetClassifier(nn.Module):
    def __init__(self, dim=16, seeds=2, classes=3):
        super().__init__()
        self.lift = nn.Linear(2, dim)
        self.pool = SeedPooling(dim, seeds)
        self.head = nn.Linear(dim * seeds, classes)

    def forward(self, points):
        return self.head(self.pool(F.relu(self.lift(points))).flatten(1))


points = torch.randn(48, 20, 2)
kind = torch.randint(0, 3, (48,))
points = points * (1 + kind.view(-1, 1, 1))
net = SetClassifier()
start = net.pool.seeds.detach().clone()
optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
for epoch in range(10):
    optimizer.zero_grad()
    loss = F.cross_entropy(net(points), kind)
    loss.backward()
    optimizer.step()
print("spread of the seeds at the start %.4f" % start.std().item())
print("loss %.4f" % loss.item())
