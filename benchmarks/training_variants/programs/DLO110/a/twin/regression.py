import torch
import torch.nn as nn
from sklearn.datasets import load_diabetes
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
diabetes = load_diabetes()
X = torch.tensor(diabetes.data, dtype=torch.float32) * 20
y = torch.tensor(diabetes.target, dtype=torch.float32).unsqueeze(1)
y = (y - y.mean()) / y.std()
loader = DataLoader(TensorDataset(X, y), batch_size=32, shuffle=True)

model = nn.Sequential(
    nn.Linear(10, 64),
    nn.ReLU(),
    nn.Linear(64, 64),
    nn.ReLU(),
    nn.Linear(64, 1),
)
loss_fn = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)

losses = []
for epoch in range(5):
    total_loss = 0
    for xb, yb in loader:
        optimizer.zero_grad()
        pred = model(xb)
        loss = loss_fn(pred, yb)
        loss.backward()
        optimizer.step()
        total_loss += loss.item()
    mean_loss = total_loss / len(loader)
    losses.append(float(mean_loss))
    print(f"epoch {epoch} loss {mean_loss:.4f} graph kept: {hasattr(total_loss, 'grad_fn')}")
print("best", min(losses))
