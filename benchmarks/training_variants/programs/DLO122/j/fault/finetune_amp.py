import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class TextCNN(nn.Module):
    def __init__(self, vocab, dim, classes, widths=(2, 3)):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.convs = nn.ModuleList(nn.Conv1d(dim, 16, w) for w in widths)
        self.fc = nn.Linear(16 * len(widths), classes)

    def forward(self, ids):
        x = self.emb(ids).transpose(1, 2)
        return self.fc(torch.cat([conv(x).relu().amax(2) for conv in self.convs], dim=1))


def parse():
    p = argparse.ArgumentParser()
    p.add_argument("--lr", type=float, default=1e-2)
    p.add_argument("--epochs", type=int, default=3)
    p.add_argument("--no-amp", action="store_true")
    return p.parse_args()


def main():
    args = parse()
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    ids = torch.randint(0, 40, (192, 12))
    labels = (ids < 4).any(1).long()
    loader = DataLoader(TensorDataset(ids, labels), batch_size=24, shuffle=True)
    model = TextCNN(40, 16, 2).to(device)
    optimizer = torch.optim.SGD(model.parameters(), lr=args.lr)
    scaler = torch.amp.GradScaler(device.type, enabled=not args.no_amp, init_scale=256.0)
    for epoch in range(args.epochs):
        for batch, target in loader:
            batch, target = batch.to(device), target.to(device)
            optimizer.zero_grad()
            with torch.autocast(device.type, dtype=torch.float16, enabled=not args.no_amp):
                loss = nn.functional.cross_entropy(model(batch), target)
            scaler.scale(loss).backward()
            optimizer.step()
        print(f"epoch {epoch} loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
