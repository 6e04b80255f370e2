import numpy as np
import torch
import torch.nn as nn

torch.manual_seed(0)
np.random.seed(0)

# noisy sine
x_np = np.linspace(-3, 3, 200, dtype=np.float32).reshape(-1, 1)
y_np = np.sin(x_np) + 0.1 * np.random.randn(200, 1).astype(np.float32)
x = torch.from_numpy(x_np)
y = torch.from_numpy(y_np)

net = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh(), nn.Linear(32, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=1e-2)
loss_func = nn.MSELoss()

net.train()
for t in range(200):
    prediction = net(x)
    loss = loss_func(prediction, y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if t % 50 == 0:
        print(t, f"{loss.item():.4f}")

# compare with the clean curve
curve = prediction.detach().numpy()
error = np.abs(curve - np.sin(x_np)).max()
print("largest error", round(float(error), 3))
