import torch
import torch.nn as nn
from sklearn.datasets import load_digits
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
data = load_digits()
X = torch.tensor(data.data / 16.0, dtype=torch.float32)
Y = torch.tensor(data.target)
train_loader = DataLoader(TensorDataset(X[:1500], Y[:1500]), batch_size=50, shuffle=True)
val_loader = DataLoader(TensorDataset(X[1500:], Y[1500:]), batch_size=100)


class Classifier(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(64, 64)
        self.bn = nn.BatchNorm1d(64)
        self.drop = nn.Dropout(0.4)
        self.fc2 = nn.Linear(64, 10)

    def forward(self, x):
        return self.fc2(self.drop(torch.relu(self.bn(self.fc1(x)))))


model = Classifier()
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.Adam(model.parameters(), lr=0.001)

model.train()
for epoch in range(4):
    train_loss = 0
    for batch, labels in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(batch), labels)
        loss.backward()
        optimizer.step()
        train_loss += loss.item()

    model.eval()
    val_loss = 0
    with torch.no_grad():
        for batch, labels in val_loader:
            val_loss += criterion(model(batch), labels).item()
    print(epoch, round(train_loss / len(train_loader), 4), round(val_loss / len(val_loader), 4))
