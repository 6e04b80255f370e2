import torch
import torch.nn as nn
from sklearn.datasets import load_wine
from torch.utils.data import DataLoader, Dataset


class WineDataset(Dataset):
    def __init__(self):
        wine = load_wine()
        features = torch.tensor(wine.data, dtype=torch.float32)
        self.features = (features - features.mean(dim=0)) / features.std(dim=0)
        self.targets = torch.tensor(wine.target)

    def __len__(self):
        return len(self.targets)

    def __getitem__(self, index):
        return self.features[index], self.targets[index]


torch.manual_seed(0)
dataset = WineDataset()
loader = DataLoader(dataset, batch_size=16, shuffle=True)

model = nn.Sequential(nn.Linear(13, 32), nn.Tanh(), nn.Linear(32, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

num_epochs = 5
for epoch in range(num_epochs):
    epoch_loss = 0.0
    for features, targets in loader:
        optimizer.zero_grad()
        logits = model(features)
        loss = criterion(logits, targets)
        loss.backward()
        epoch_loss += loss.item()
    optimizer.step()
    print(f"Epoch [{epoch + 1}/{num_epochs}] loss: {epoch_loss / len(loader):.4f}")
