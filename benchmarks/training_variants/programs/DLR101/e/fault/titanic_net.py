import numpy as np
import pandas as pd
import torch
from sklearn.model_selection import train_test_split
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

n = 400
age = np.linspace(1, 80, n)
fare = 10 + 90 * np.abs(np.sin(np.arange(n)))
sex = np.arange(n) % 2
df = pd.DataFrame({"age": age, "fare": fare, "sex": sex, "survived": ((sex == 1) | (age < 12)) & (fare > 20)})

X = df[["age", "fare", "sex"]].to_numpy(dtype="float32")
X = (X - X.mean(0)) / X.std(0)
y = df["survived"].to_numpy(dtype="float32")
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.25)

train_loader = DataLoader(TensorDataset(torch.tensor(X_train), torch.tensor(y_train)), batch_size=32, shuffle=True)
net = nn.Sequential(nn.Linear(3, 16), nn.ReLU(), nn.Dropout(0.2), nn.Linear(16, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)
criterion = nn.BCEWithLogitsLoss()

for epoch in range(10):
    net.train()
    for xb, yb in train_loader:
        optimizer.zero_grad()
        loss = criterion(net(xb).squeeze(1), yb)
        loss.backward()
        optimizer.step()

net.eval()
with torch.no_grad():
    prob = torch.sigmoid(net(torch.tensor(X_test)).squeeze(1))
print("loss %.5f accuracy %.4f" % (loss.item(), ((prob > 0.5).float().numpy() == y_test).mean()))
