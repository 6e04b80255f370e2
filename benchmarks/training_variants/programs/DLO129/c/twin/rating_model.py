import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(16)


class MLP(nn.Module):
    def __init__(self, widths):
        super().__init__()
        steps = []
        for a, b in zip(widths, widths[1:]):
            steps += [nn.Linear(a, b), nn.SiLU()]
        self.steps = nn.Sequential(*steps[:-1])

    def forward(self, x):
        return self.steps(x).squeeze(-1)


x = torch.randn(80, 8)
y = x[:, 0] * x[:, 1] + 0.5 * torch.randn(80)
train_set, val_set = random_split(TensorDataset(x, y), [50, 30])
train_loader = DataLoader(train_set, batch_size=10, shuffle=True)
val_loader = DataLoader(val_set, batch_size=30)

model = MLP([8, 64, 64, 1])
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
best_val, best_weights = float("inf"), None

for epoch in range(40):
    model.train()
    for xb, yb in train_loader:
        optimizer.zero_grad()
        nn.functional.mse_loss(model(xb), yb).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        val = sum(nn.functional.mse_loss(model(a), b).item() for a, b in val_loader)
    if val < best_val:
        best_val = val
        best_weights = {k: v.clone() for k, v in model.state_dict().items()}

model.load_state_dict(best_weights)
with torch.no_grad():
    restored = sum(nn.functional.mse_loss(model(a), b).item() for a, b in val_loader)
print("best %.4f, restored %.4f" % (best_val, restored))
