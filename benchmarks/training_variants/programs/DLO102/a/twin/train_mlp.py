import torch
from sklearn.datasets import load_breast_cancer
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


def get_loader(batch_size=32):
    data = load_breast_cancer()
    x = torch.tensor(data.data, dtype=torch.float32)
    x = (x - x.mean(0)) / x.std(0)
    y = torch.tensor(data.target, dtype=torch.float32)
    return DataLoader(TensorDataset(x, y), batch_size=batch_size, shuffle=True), x.shape[1]


def train_one_epoch(model, loader, criterion, optimizer):
    model.train()
    total, correct, seen = 0.0, 0, 0
    for x, y in loader:
        optimizer.zero_grad()
        logits = model(x).squeeze(1)
        loss = criterion(logits, y)
        loss.backward()
        optimizer.step()
        total += loss.item() * len(x)
        correct += ((logits > 0).float() == y).sum().item()
        seen += len(x)
    return total / seen, correct / seen


def main():
    torch.manual_seed(42)
    loader, width = get_loader()
    model = nn.Sequential(nn.Linear(width, 32), nn.ReLU(), nn.Dropout(0.2), nn.Linear(32, 1))
    criterion = nn.BCEWithLogitsLoss()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    for epoch in range(5):
        loss, accuracy = train_one_epoch(model, loader, criterion, optimizer)
        print(f"Epoch {epoch + 1}: loss={loss:.4f} acc={accuracy:.4f}")


if __name__ == "__main__":
    main()
