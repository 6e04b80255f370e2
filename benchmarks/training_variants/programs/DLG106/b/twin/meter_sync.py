import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset

from meter import AverageMeter


def train(model, loader, optimizer, device, epochs):
    model.train()
    for epoch in range(epochs):
        losses = AverageMeter("loss")
        for x, y in loader:
            x, y = x.to(device, non_blocking=True), y.to(device, non_blocking=True)
            optimizer.zero_grad(set_to_none=True)
            loss = nn.functional.cross_entropy(model(x), y)
            loss.backward()
            optimizer.step()
            losses.update(loss, len(x))
        print(f"epoch {epoch}: {losses.average():.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    device = torch.device("cuda")
    data = TensorDataset(torch.randn(2048, 64), torch.randint(0, 8, (2048,)))
    loader = DataLoader(data, batch_size=64, shuffle=True, num_workers=2, pin_memory=True)
    model = nn.Sequential(nn.Linear(64, 256), nn.ReLU(), nn.Linear(256, 8)).to(device)
    train(model, loader, torch.optim.SGD(model.parameters(), lr=0.05, momentum=0.9), device, epochs=3)
