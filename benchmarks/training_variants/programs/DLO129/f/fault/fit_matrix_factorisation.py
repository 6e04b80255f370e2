import torch
from torch import nn

from early_stopping import EarlyStopping


class MF(nn.Module):
    def __init__(self, users, items, k=8):
        super().__init__()
        self.p = nn.Embedding(users, k)
        self.q = nn.Embedding(items, k)

    def forward(self, u, i):
        return (self.p(u) * self.q(i)).sum(-1)


torch.manual_seed(9)
u, i = torch.randint(30, (500,)), torch.randint(40, (500,))
r = torch.sin(u.float()) + torch.cos(i.float()) + 0.3 * torch.randn(500)

model = MF(30, 40)
optimizer = torch.optim.Adam(model.parameters(), lr=0.05)
stopper = EarlyStopping(patience=6)
for epoch in range(100):
    optimizer.zero_grad()
    loss = nn.functional.mse_loss(model(u[:350], i[:350]), r[:350])
    loss.backward()
    optimizer.step()
    with torch.no_grad():
        val = -nn.functional.mse_loss(model(u[350:], i[350:]), r[350:]).item()
    if stopper(val, model):
        break

stopper.restore(model)
with torch.no_grad():
    final = nn.functional.mse_loss(model(u[350:], i[350:]), r[350:]).item()
print(f"stopped at {epoch}, best {-stopper.best_score:.4f}, restored {final:.4f}")
