import argparse

import torch
from torch import nn
from torch.utils.data import DataLoader, TensorDataset


class MiniBert(nn.Module):
    def __init__(self, vocab, dim=24, classes=2):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.cls = nn.Parameter(torch.zeros(1, 1, dim))
        layer = nn.TransformerEncoderLayer(dim, 4, 48, dropout=0.1, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 1)
        self.head = nn.Linear(dim, classes)

    def forward(self, ids):
        x = torch.cat([self.cls.expand(len(ids), -1, -1), self.emb(ids)], dim=1)
        return self.head(self.encoder(x)[:, 0])


def train_epoch(model, loader, optimizer, device):
    model.train()
    running, hits, seen = 0.0, 0, 0
    for ids, labels in loader:
        ids, labels = ids.to(device), labels.to(device)
        logits = model(ids)
        loss = nn.functional.cross_entropy(logits, labels)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        running += loss.item()
        hits += (logits.argmax(1) == labels).sum().item()
        seen += labels.size(0)
    return float(running) / len(loader), int(hits) / seen


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--epochs", type=int, default=2)
    args = parser.parse_args()
    torch.manual_seed(0)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    ids = torch.randint(0, 30, (192, 8))
    loader = DataLoader(TensorDataset(ids, (ids[:, 0] > 14).long()), batch_size=24, shuffle=True)
    model = MiniBert(30).to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=2e-3)
    for epoch in range(args.epochs):
        loss, accuracy = train_epoch(model, loader, optimizer, device)
        print(f"epoch {epoch} loss {loss:.4f} accuracy {accuracy:.4f}")


if __name__ == "__main__":
    main()
