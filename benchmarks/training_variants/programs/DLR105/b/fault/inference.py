import torch
from torch import nn

from checkpoint import CheckpointManager


class Detector(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(nn.Conv1d(1, 8, 5), nn.ReLU(), nn.AdaptiveMaxPool1d(1), nn.Flatten())
        self.score = nn.Linear(8, 1)

    def forward(self, signal):
        return self.score(self.features(signal)).squeeze(1)


def pulses(n):
    label = torch.arange(n) % 2
    signal = 0.3 * torch.randn(n, 1, 40)
    signal[label == 1, 0, 15:20] += 2.0
    return signal, label.float()


def train(manager, epochs=20):
    model = Detector()
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    signal, label = pulses(200)
    model.train()
    for epoch in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.binary_cross_entropy_with_logits(model(signal), label)
        loss.backward()
        optimizer.step()
        manager.save(model, optimizer, epoch)
    return loss.item()


@torch.no_grad()
def predict(manager, signal):
    model = manager.load()
    model.eval()
    return torch.sigmoid(model(signal)) > 0.5


if __name__ == "__main__":
    torch.manual_seed(0)
    manager = CheckpointManager("detector.pt")
    print(f"loss {train(manager):.4f}")
    signal, label = pulses(50)
    print("accuracy", (predict(manager, signal).float() == label).float().mean().item())
