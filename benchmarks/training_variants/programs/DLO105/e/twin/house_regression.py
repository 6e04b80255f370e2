import pandas as pd
import numpy as np
import torch
from torch import nn

rng = np.random.default_rng(5)
torch.manual_seed(5)
df = pd.DataFrame(rng.normal(size=(300, 5)), columns=["area", "rooms", "age", "dist", "floor"])
df["price"] = 3 * df.area + df.rooms - 0.5 * df.age + rng.normal(scale=0.1, size=300)

X = torch.tensor(df.drop(columns="price").values, dtype=torch.float32)
y = torch.tensor(df["price"].values, dtype=torch.float32).unsqueeze(1)
X_train, X_val, y_train, y_val = X[:240], X[240:], y[:240], y[240:]

model = nn.Sequential(nn.Linear(5, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 1))
loss_fn = nn.MSELoss()
optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)

for epoch in range(50):
    model.train()
    pred = model(X_train)
    loss = loss_fn(pred, y_train)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()

    model.eval()
    with torch.no_grad():
        val_pred = model(X_val)
        val_loss = loss_fn(val_pred, y_val)
    if epoch % 10 == 0:
        print(epoch, round(loss.item(), 4), round(val_loss.item(), 4))

print(val_loss.requires_grad)
