import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Activity(nn.Module):
    def __init__(self, sensors, hidden, classes):
        super().__init__()
        self.hidden = hidden
        self.gru = nn.GRU(sensors, hidden, num_layers=2, batch_first=True)
        self.fc = nn.Linear(hidden, classes)

    def init_hidden(self, batch):
        return torch.zeros(2, batch, self.hidden)

    def forward(self, x, h):
        out, h = self.gru(x, h)
        return self.fc(out[:, -1]), h


class Fitter:
    def __init__(self, model, device):
        self.device = device
        self.model = model.to(device)
        self.loss = nn.CrossEntropyLoss()
        self.opt = torch.optim.Adam(self.model.parameters(), lr=2e-3)

    def epoch(self, loader):
        self.model.train()
        for signal, label in loader:
            signal, label = signal.to(self.device), label.to(self.device)
            h = self.model.init_hidden(len(signal)).to(self.device)
            self.opt.zero_grad()
            scores, _ = self.model(signal, h)
            loss = self.loss(scores, label)
            loss.backward()
            self.opt.step()
        return loss.item()


if __name__ == "__main__":
    torch.manual_seed(0)
    data = TensorDataset(torch.randn(64, 25, 6), torch.randint(0, 4, (64,)))
    fitter = Fitter(Activity(6, 16, 4), torch.device("cuda" if torch.cuda.is_available() else "cpu"))
    for e in range(3):
        print(e, fitter.epoch(DataLoader(data, batch_size=16, shuffle=True)))
