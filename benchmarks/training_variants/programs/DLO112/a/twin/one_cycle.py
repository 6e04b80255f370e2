import torch
import torch.nn as nn
from torch.optim.lr_scheduler import OneCycleLR
from torch.utils.data import DataLoader, TensorDataset

torch.manual_seed(0)
EPOCHS = 5
x = torch.randn(640, 1, 20)
y = (x.squeeze(1).max(dim=1).indices // 5).long()
train_loader = DataLoader(TensorDataset(x, y), batch_size=32, shuffle=True)

model = nn.Sequential(
    nn.Conv1d(1, 16, 5, padding=2),
    nn.ReLU(),
    nn.Conv1d(16, 16, 5, padding=2),
    nn.ReLU(),
    nn.Flatten(),
    nn.Linear(16 * 20, 4),
)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), lr=0.01, momentum=0.9)
scheduler = OneCycleLR(optimizer, max_lr=0.1, steps_per_epoch=len(train_loader), epochs=EPOCHS)

for epoch in range(EPOCHS):
    model.train()
    correct = 0
    for inputs, labels in train_loader:
        optimizer.zero_grad()
        logits = model(inputs)
        loss = criterion(logits, labels)
        loss.backward()
        optimizer.step()
        scheduler.step()
        correct += (logits.argmax(1) == labels).sum().item()
    print(f"epoch {epoch}: accuracy {correct / len(y):.4f} lr {scheduler.get_last_lr()[0]:.6f}")
