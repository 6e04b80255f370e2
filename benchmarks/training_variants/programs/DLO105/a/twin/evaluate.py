import torch
import torch.nn as nn
from sklearn.datasets import load_iris
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
iris = load_iris()
x = torch.from_numpy(iris.data).float()
y = torch.from_numpy(iris.target).long()
perm = torch.randperm(len(x))
train_loader = DataLoader(TensorDataset(x[perm[:120]], y[perm[:120]]), batch_size=20, shuffle=True)
test_loader = DataLoader(TensorDataset(x[perm[120:]], y[perm[120:]]), batch_size=30)

model = nn.Sequential(nn.Linear(4, 16), nn.ReLU(), nn.Dropout(0.1), nn.Linear(16, 3))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)


def train(epoch):
    model.train()
    for features, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(features), labels)
        loss.backward()
        optimizer.step()


def test(epoch):
    model.eval()
    correct = 0
    with torch.no_grad():
        for features, labels in test_loader:
            logits = model(features)
            correct += (logits.argmax(1) == labels).sum().item()
    print("Epoch", epoch, "accuracy", correct / 30, "grad recorded:", logits.requires_grad)


for epoch in range(1, 6):
    train(epoch)
    test(epoch)
