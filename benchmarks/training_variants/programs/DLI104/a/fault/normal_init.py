import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
x = torch.rand(500, 784)
y = (x[:, :392].mean(1) > x[:, 392:].mean(1)).long()
loader = DataLoader(TensorDataset(x, y), batch_size=50, shuffle=True)


class SigmoidNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.hidden1 = nn.Linear(784, 128)
        self.hidden2 = nn.Linear(128, 64)
        self.output = nn.Linear(64, 2)
        for layer in (self.hidden1, self.hidden2):
            nn.init.normal_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, x):
        x = torch.sigmoid(self.hidden1(x))
        x = torch.sigmoid(self.hidden2(x))
        return self.output(x)


net = SigmoidNet()
with torch.no_grad():
    first = torch.sigmoid(net.hidden1(x))
print("saturated share", round(((first < 0.01) | (first > 0.99)).float().mean().item(), 3))

optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
criterion = nn.CrossEntropyLoss()
for epoch in range(5):
    net.train()
    total = 0.0
    for inputs, labels in loader:
        optimizer.zero_grad()
        loss = criterion(net(inputs), labels)
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(f"epoch {epoch}: {total / len(loader):.4f}")
