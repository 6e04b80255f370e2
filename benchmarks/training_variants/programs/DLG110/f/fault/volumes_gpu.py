import os
import tempfile

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, Dataset

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")


class VolumeDataset(Dataset):
    def __init__(self, folder):
        self.paths = sorted(os.path.join(folder, f) for f in os.listdir(folder) if f.endswith(".npz"))

    def __len__(self):
        return len(self.paths)

    def __getitem__(self, i):
        with np.load(self.paths[i]) as f:
            vol, label = f["vol"], int(f["label"])
        vol = (vol - vol.mean()) / (vol.std() + 1e-6)
        return torch.from_numpy(vol[None].astype("float32")), label


def write_volumes(folder, n=16):
    rng = np.random.default_rng(0)
    for i in range(n):
        np.savez(os.path.join(folder, f"{i:03d}.npz"), vol=rng.random((12, 12, 12)), label=i % 2)
    return folder


if __name__ == "__main__":
    torch.manual_seed(0)
    dataset = VolumeDataset(write_volumes(tempfile.mkdtemp()))
    loader = DataLoader(dataset, batch_size=4, shuffle=True)
    net = nn.Sequential(nn.Conv3d(1, 8, 3), nn.ReLU(), nn.AdaptiveAvgPool3d(1), nn.Flatten(), nn.Linear(8, 2)).to(device)
    optimizer = torch.optim.Adam(net.parameters(), lr=1e-3)
    for epoch in range(2):
        for vol, label in loader:
            vol, label = vol.to(device, non_blocking=True), label.to(device, non_blocking=True)
            loss = nn.functional.cross_entropy(net(vol), label)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    print("loss %.4f" % loss.item())
