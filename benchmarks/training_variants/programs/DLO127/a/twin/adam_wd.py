import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset, random_split

torch.manual_seed(0)
full = TensorDataset(torch.randn(300, 30), torch.randint(0, 2, (300,)))
train_set, val_set = random_split(full, [200, 100], generator=torch.Generator().manual_seed(1))
train_loader = DataLoader(train_set, batch_size=25, shuffle=True)
val_loader = DataLoader(val_set, batch_size=100)

model = nn.Sequential(nn.Linear(30, 64), nn.ReLU(), nn.Dropout(0.3), nn.Linear(64, 2))
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3, weight_decay=0.01)

for epoch in range(5):
    model.train()
    for x, y in train_loader:
        optimizer.zero_grad()
        loss = criterion(model(x), y)
        loss.backward()
        optimizer.step()
    model.eval()
    total = 0.0
    with torch.no_grad():
        for x, y in val_loader:
            total += criterion(model(x), y).item()
    print(f"epoch {epoch} validation {total / len(val_loader):.5f}")
