import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset


class Spectrograms(Dataset):
    """Short-time spectra computed on the fly."""

    def __init__(self, count, length=512):
        self.count, self.length = count, length

    def __len__(self):
        return self.count

    def __getitem__(self, i):
        pitch = 10 + 5 * (i % 4)
        wave = torch.sin(torch.arange(self.length) * pitch / 100)
        spectrum = torch.stft(wave, 64, 32, window=torch.hann_window(64), return_complex=True)
        return spectrum.abs().unsqueeze(0), i % 4


class Net(nn.Module):
    def __init__(self, classes=4):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv2d(1, 8, 3), nn.ReLU(), nn.AdaptiveMaxPool2d(4), nn.Flatten())
        self.fc = nn.Linear(128, classes)

    def forward(self, x):
        return self.fc(self.conv(x))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=16)
    parser.add_argument("--epochs", type=int, default=2)
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    loader = DataLoader(
        Spectrograms(64), batch_size=args.batch_size, shuffle=True, num_workers=args.workers, pin_memory=True
    )
    model = Net().to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    for epoch in range(args.epochs):
        for spectrum, label in loader:
            spectrum, label = spectrum.to(device, non_blocking=True), label.to(device, non_blocking=True)
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(spectrum), label)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
