import torch
from torch import nn

from dataset import WindowDataset
from torch.utils.data import DataLoader


class Forecaster(nn.Module):
    def __init__(self, horizon=4):
        super().__init__()
        self.gru = nn.GRU(1, 16, batch_first=True)
        self.proj = nn.Linear(16, horizon)

    def forward(self, window):
        _, state = self.gru(window.unsqueeze(-1))
        return self.proj(state[-1])


def train(model, loader, optimizer, loss_fn, num_epochs):
    history = []
    model.train()
    for epoch in range(num_epochs):
        epoch_loss = 0.0
        for window, target in loader:
            optimizer.zero_grad()
            prediction = model(window)
            loss = loss_fn(prediction, target)
            loss.backward()
            optimizer.step()
            epoch_loss += loss.item() * window.size(0)
        history.append(epoch_loss / len(loader.dataset))
        print(f"Epoch [{epoch + 1}/{num_epochs}] loss: {history[-1]:.5f}")
    return history


if __name__ == "__main__":
    torch.manual_seed(7)
    series = torch.sin(torch.linspace(0, 30, 300)) + 0.05 * torch.randn(300)
    loader = DataLoader(WindowDataset(series, past=12, horizon=4), batch_size=32, shuffle=True)
    forecaster = Forecaster()
    train(forecaster, loader, torch.optim.Adam(forecaster.parameters(), lr=1e-2), nn.MSELoss(), num_epochs=4)
