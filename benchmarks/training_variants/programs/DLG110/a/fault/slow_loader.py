import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset


class SpectrogramDataset(Dataset):
    """Computes a spectrogram per sample when it is asked for."""

    def __init__(self, n=512):
        rng = np.random.default_rng(0)
        self.labels = rng.integers(0, 4, n)
        time = np.arange(2048) / 2048
        self.waves = np.sin(2 * np.pi * (50 * (self.labels[:, None] + 1)) * time).astype(np.float32)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, index):
        wave = torch.from_numpy(self.waves[index])
        spectrum = torch.stft(wave, 128, window=torch.hann_window(128), return_complex=True).abs()
        return spectrum.log1p().unsqueeze(0), int(self.labels[index])


def main():
    torch.manual_seed(0)
    device = torch.device("cuda")
    loader = DataLoader(SpectrogramDataset(), batch_size=32, shuffle=True)
    model = nn.Sequential(nn.Conv2d(1, 16, 5), nn.ReLU(), nn.AdaptiveAvgPool2d(4), nn.Flatten(), nn.Linear(256, 4)).to(device)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(3):
        model.train()
        for spectra, labels in loader:
            spectra, labels = spectra.to(device), labels.to(device)
            optimizer.zero_grad()
            loss = criterion(model(spectra), labels)
            loss.backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
