"""Fine-tune a published audio encoder; the checkpoint is downloaded from the authors' page."""
import argparse
from pathlib import Path

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class Encoder(nn.Module):
    def __init__(self, mels=40, dim=128):
        super().__init__()
        self.conv = nn.Sequential(nn.Conv1d(mels, dim, 5, padding=2), nn.GELU(), nn.Conv1d(dim, dim, 5, padding=2), nn.GELU())

    def forward(self, mel):
        return self.conv(mel).mean(dim=-1)


def fetch_encoder(url, cache):
    target = cache / Path(url).name
    if not target.exists():
        cache.mkdir(parents=True, exist_ok=True)
        torch.hub.download_url_to_file(url, str(target))
    encoder = Encoder()
    state = torch.load(target, map_location="cpu", weights_only=False)
    encoder.load_state_dict(state["encoder"])
    return encoder


def load_clips(path):
    data = torch.load(path, weights_only=True)
    return TensorDataset(data["mel"], data["label"]), int(data["label"].max()) + 1


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("url", help="address of the released checkpoint")
    parser.add_argument("clips", type=Path, help="tensors of the own recordings")
    parser.add_argument("--cache", type=Path, default=Path.home() / ".cache/audio-encoder")
    parser.add_argument("--epochs", type=int, default=10)
    parser.add_argument("--lr", type=float, default=1e-4)
    args = parser.parse_args()
    torch.manual_seed(0)
    clips, classes = load_clips(args.clips)
    model = nn.Sequential(fetch_encoder(args.url, args.cache), nn.Dropout(0.2), nn.Linear(128, classes))
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.lr, weight_decay=0.01)
    loader = DataLoader(clips, batch_size=16, shuffle=True)
    model.train()
    for epoch in range(args.epochs):
        total = 0.0
        for mel, label in loader:
            optimizer.zero_grad()
            loss = nn.functional.cross_entropy(model(mel), label)
            loss.backward()
            optimizer.step()
            total += loss.item()
        print(f"epoch {epoch}: {total / len(loader):.4f}")
    torch.save({"encoder": model[0].state_dict(), "head": model[2].state_dict()}, "tuned.pt")


if __name__ == "__main__":
    main()
