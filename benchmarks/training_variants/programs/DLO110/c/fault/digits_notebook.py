# %% [markdown]
# # Digits with a residual network

# %%
import torch
from sklearn.datasets import load_digits
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)

# %%
bunch = load_digits()
features = torch.tensor(bunch.data / 16, dtype=torch.float32)
target = torch.tensor(bunch.target)
train_dl = DataLoader(TensorDataset(features, target), batch_size=128, shuffle=True)


# %%
class Residual(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.f = nn.Sequential(nn.Linear(width, width), nn.ReLU(), nn.Linear(width, width))

    def forward(self, x):
        return x + self.f(x)


model = nn.Sequential(Residual(64), nn.ReLU(), Residual(64), nn.ReLU(), nn.Linear(64, 10))
opt = torch.optim.Adam(model.parameters(), lr=1e-3)
loss_fn = nn.CrossEntropyLoss()

# %%
model.train()
for epoch in range(3):
    outputs, targets = [], []
    for xb, yb in train_dl:
        out = model(xb)
        loss = loss_fn(out, yb)
        opt.zero_grad()
        loss.backward()
        opt.step()
        outputs.append(out)
        targets.append(yb)
    predicted = torch.cat(outputs).argmax(1)
    print(epoch, (predicted == torch.cat(targets)).float().mean().item(), outputs[0].requires_grad)
