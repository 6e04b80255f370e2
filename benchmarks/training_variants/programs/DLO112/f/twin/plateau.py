import torch
from torch import nn, optim
from torch.optim.lr_scheduler import ReduceLROnPlateau

torch.manual_seed(0)

seq = torch.sin(torch.arange(0, 200, dtype=torch.float32) / 5)
windows = seq.unfold(0, 21, 1)
X, Y = windows[:, :20].unsqueeze(-1), windows[:, 20:]
X_tr, Y_tr, X_va, Y_va = X[:140], Y[:140], X[140:], Y[140:]


class Forecaster(nn.Module):
    def __init__(self, hidden=24):
        super().__init__()
        self.lstm = nn.LSTM(1, hidden, batch_first=True)
        self.linear = nn.Linear(hidden, 1)

    def forward(self, x):
        _, (h, _) = self.lstm(x)
        return self.linear(h[-1])


model = Forecaster()
mse = nn.MSELoss()
optimizer = optim.Adam(model.parameters(), lr=0.01)
scheduler = ReduceLROnPlateau(optimizer, mode='min', factor=0.5, patience=2)

for epoch in range(6):
    model.train()
    optimizer.zero_grad()
    loss = mse(model(X_tr), Y_tr)
    loss.backward()
    optimizer.step()

    model.eval()
    with torch.no_grad():
        val_loss = mse(model(X_va), Y_va)
    scheduler.step(val_loss)
    print(epoch, float(loss), float(val_loss), optimizer.param_groups[0]['lr'])
