import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class MessagePassing(nn.Module):
    def __init__(self, dim, rounds=3):
        super().__init__()
        self.msg = nn.Sequential(nn.Linear(2 * dim, dim), nn.ReLU(), nn.Linear(dim, dim))
        self.upd = nn.GRUCell(dim, dim)
        self.rounds = rounds

    def forward(self, h, adj):
        b, n, d = h.shape
        for _ in range(self.rounds):
            pair = torch.cat([h.unsqueeze(2).expand(b, n, n, d), h.unsqueeze(1).expand(b, n, n, d)], -1)
            m = (self.msg(pair) * adj[None, :, :, None]).sum(2)
            h = self.upd(m.reshape(b * n, d), h.reshape(b * n, d)).view(b, n, d)
        return h


class ColorNet(nn.Module):
    def __init__(self, colors=3, dim=16):
        super().__init__()
        self.inp = nn.Embedding(colors + 1, dim)
        self.gnn = MessagePassing(dim)
        self.out = nn.Linear(dim, colors)

    def forward(self, given, adj):
        return self.out(self.gnn(self.inp(given), adj))


torch.manual_seed(0)
n = 6
adj = (torch.ones(n, n) - torch.eye(n)) * (torch.arange(n)[:, None] % 2 != torch.arange(n)[None] % 2)
solution = torch.randint(0, 3, (96, 1)).expand(96, n).clone()
solution[:, 1::2] = (solution[:, 1::2] + 1) % 3
given = torch.where(torch.rand(96, n) < 0.5, solution + 1, torch.zeros_like(solution))

model = ColorNet()
optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3, betas=(0.9, 0.99), weight_decay=1e-4)
loader = DataLoader(TensorDataset(given, solution), batch_size=24, shuffle=True)
for epoch in range(4):
    for g, s in loader:
        optimizer.zero_grad()
        loss = nn.functional.cross_entropy(model(g, adj).flatten(0, 1), s.flatten())
        loss.backward()
        optimizer.step()
    print("epoch", epoch, round(loss.item(), 4))
