import torch
from torch import nn

torch.manual_seed(0)
x = torch.randn(512, 8) * 50 + 300
y = (x[:, 0] > 300).long()
model = nn.Sequential(nn.Linear(8, 16), nn.ReLU(), nn.Linear(16, 2), nn.Softmax(dim=1))
optimizer = torch.optim.SGD(model.parameters(), lr=1.0)
for step in range(60):
    rows = torch.randint(0, 512, (32,))
    loss = nn.functional.cross_entropy(model(x[rows]), y[rows])
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
