import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim
from sklearn.datasets import load_digits
from sklearn.preprocessing import StandardScaler
from torch.utils.data import DataLoader, TensorDataset

np.random.seed(0)
torch.manual_seed(0)

# 1. data
digits = load_digits()
X, Y = digits.data, digits.target
order = np.random.permutation(len(X))
split = int(0.8 * len(X))
scaler = StandardScaler().fit(X[order[:split]])
X = scaler.transform(X).astype(np.float32)
train_ds = TensorDataset(torch.from_numpy(X[order[:split]]), torch.from_numpy(Y[order[:split]]).long())
test_ds = TensorDataset(torch.from_numpy(X[order[split:]]), torch.from_numpy(Y[order[split:]]).long())
train_dl = DataLoader(train_ds, batch_size=64, shuffle=True)
test_dl = DataLoader(test_ds, batch_size=64)

# 2. model
model = nn.Sequential(
    nn.Linear(64, 128),
    nn.BatchNorm1d(128),
    nn.ReLU(),
    nn.Dropout(0.5),
    nn.Linear(128, 10),
)
loss_fn = nn.CrossEntropyLoss()
optimizer = optim.Adam(model.parameters(), lr=1e-3)

# 3. training
model.train()
for epoch in range(5):
    for xb, yb in train_dl:
        optimizer.zero_grad()
        loss = loss_fn(model(xb), yb)
        loss.backward()
        optimizer.step()

# 4. test
model.eval()
correct = 0
with torch.no_grad():
    for xb, yb in test_dl:
        pred = model(xb).argmax(dim=1)
        correct += (pred == yb).sum().item()
print("test accuracy: %.4f" % (correct / len(test_ds)))
