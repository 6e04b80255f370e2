import numpy as np
import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset, get_worker_info


class BirdsongDataset(Dataset):
    """Random crops of recordings with a random gain."""

    def __init__(self, n=48, length=160, crop=128, seed=0):
        t = np.arange(length)
        self.labels = np.arange(n) % 2
        self.waves = np.stack([np.sin(t / (3 + 4 * c)) for c in self.labels]).astype("float32")
        self.crop = crop
        self.rng = np.random.default_rng(seed)

    def __len__(self):
        return len(self.labels)

    def __getitem__(self, i):
        start = self.rng.integers(0, self.waves.shape[1] - self.crop)
        gain = self.rng.uniform(0.5, 1.5)
        wave = self.waves[i, start:start + self.crop] * gain
        return torch.from_numpy(wave.astype("float32")), int(self.labels[i]), float(gain)


def worker_init(worker_id):
    get_worker_info().dataset.rng = np.random.default_rng([0, worker_id])


def main():
    torch.manual_seed(0)
    loader = DataLoader(BirdsongDataset(), batch_size=8, shuffle=True, num_workers=2, worker_init_fn=worker_init)
    net = nn.Sequential(nn.Linear(128, 32), nn.ReLU(), nn.Linear(32, 2))
    opt = torch.optim.Adam(net.parameters(), lr=1e-3)
    gains = []
    for epoch in range(2):
        for wave, label, gain in loader:
            loss = nn.functional.cross_entropy(net(wave), label)
            opt.zero_grad()
            loss.backward()
            opt.step()
            gains += gain.tolist()
    print("loss %.5f" % loss.item(), "different gains:", len(set(gains)), "of", len(gains))


if __name__ == "__main__":
    main()
