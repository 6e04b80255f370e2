import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Backbone(nn.Module):
    def __init__(self, num_classes=100):
        super().__init__()
        self.stem = nn.Sequential(nn.Conv2d(3, 16, 3, stride=2, padding=1), nn.ReLU(), nn.AdaptiveAvgPool2d(2), nn.Flatten())
        self.fc = nn.Linear(64, num_classes)

    def forward(self, x):
        return self.fc(self.stem(x))


def get_data(n=200):
    labels = torch.arange(n) % 2
    images = torch.rand(n, 3, 16, 16) + labels.view(-1, 1, 1, 1) * 0.3
    return DataLoader(TensorDataset(images, labels), batch_size=20, shuffle=True)


torch.manual_seed(0)
loader = get_data()
model = Backbone()

# replace the last layer for our two classes
model.fc = nn.Linear(64, 2)
optimizer = torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9)
criterion = nn.CrossEntropyLoss()
before = model.fc.weight.detach().clone()

model.train()
for epoch in range(4):
    running = 0.0
    for images, labels in loader:
        optimizer.zero_grad()
        loss = criterion(model(images), labels)
        loss.backward()
        optimizer.step()
        running += loss.item()
    print(f"epoch {epoch} loss {running / len(loader):.4f}, head changed: {not torch.equal(before, model.fc.weight)}")
