import torch
from torch import nn, optim

torch.manual_seed(0)
X = torch.randn(120, 1, 12, 12)
Y = (X[:, :, :6].mean((1, 2, 3)) > X[:, :, 6:].mean((1, 2, 3))).float().unsqueeze(1)
noisy = Y.clone()
flip = torch.rand(80) < 0.25
noisy[:80][flip] = 1 - noisy[:80][flip]

model = nn.Sequential(nn.Flatten(), nn.Linear(144, 64), nn.ReLU(), nn.Linear(64, 1))
criterion = nn.BCEWithLogitsLoss()
optimizer = optim.Adam(model.parameters(), lr=5e-3)

best_loss = float('inf')
best_epoch = -1
for epoch in range(40):
    model.train()
    for i in range(0, 80, 20):
        optimizer.zero_grad()
        loss = criterion(model(X[i:i + 20]), noisy[i:i + 20])
        loss.backward()
        optimizer.step()

    model.eval()
    with torch.no_grad():
        val_loss = criterion(model(X[80:]), Y[80:]).item()
    if val_loss < best_loss:
        best_loss, best_epoch = val_loss, epoch
        best_model_wts = {k: v.clone() for k, v in model.state_dict().items()}

model.load_state_dict(best_model_wts)
with torch.no_grad():
    final = criterion(model(X[80:]), Y[80:]).item()
print('best epoch %d val loss %.4f, after restoring %.4f' % (best_epoch, best_loss, final))
