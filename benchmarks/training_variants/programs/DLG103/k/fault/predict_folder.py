from pathlib import Path

import numpy as np
import torch
from torch import nn

DEVICE = "cuda"


class CrackNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(3, 8, 3, padding=1), nn.ReLU(), nn.MaxPool2d(2), nn.Conv2d(8, 16, 3, padding=1), nn.ReLU()
        )
        self.classify = nn.Sequential(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(16, 2))

    def forward(self, x):
        return self.classify(self.features(x))


def load_network(weights):
    network = CrackNet()
    if Path(weights).exists():
        network.load_state_dict(torch.load(weights, map_location="cpu", weights_only=True))
    return network.to(DEVICE).eval()


def to_tensor(picture):
    picture = torch.from_numpy(picture.astype("float32") / 255.0)
    return picture.permute(2, 0, 1).unsqueeze(0)


def predict(network, folder):
    results = {}
    with torch.inference_mode():
        for path in sorted(Path(folder).glob("*.npy")):
            picture = to_tensor(np.load(path))
            scores = network(picture).softmax(dim=1)
            results[path.name] = scores[0, 1].item()
    return results


if __name__ == "__main__":
    rng = np.random.default_rng(0)
    Path("pictures").mkdir(exist_ok=True)
    for i in range(3):
        np.save(f"pictures/{i}.npy", rng.integers(0, 255, (32, 32, 3), dtype=np.uint8))
    for name, score in predict(load_network("crack.pt"), "pictures").items():
        print(f"{name}: {score:.3f}")
