import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset

ACCUM_STEPS = 4


class ViT(nn.Module):
    def __init__(self, size=16, patch=4, dim=24, classes=3):
        super().__init__()
        self.patchify = nn.Conv2d(3, dim, patch, stride=patch)
        self.cls = nn.Parameter(torch.zeros(1, 1, dim))
        self.pos = nn.Parameter(torch.randn(1, (size // patch) ** 2 + 1, dim) * 0.02)
        self.encoder = nn.TransformerEncoderLayer(dim, 4, 48, dropout=0.0, batch_first=True)
        self.head = nn.Linear(dim, classes)

    def forward(self, x):
        tokens = self.patchify(x).flatten(2).transpose(1, 2)
        tokens = torch.cat([self.cls.expand(len(x), -1, -1), tokens], dim=1) + self.pos
        return self.head(self.encoder(tokens)[:, 0])


def run(loader, epochs=2):
    model = ViT()
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss()
    for epoch in range(epochs):
        for step, (images, labels) in enumerate(loader):
            optimizer.zero_grad()
            loss = criterion(model(images), labels) / ACCUM_STEPS
            loss.backward()
            if (step + 1) % ACCUM_STEPS == 0 or step + 1 == len(loader):
                optimizer.step()
        print(f"epoch {epoch}: {loss.item() * ACCUM_STEPS:.4f}")


if __name__ == "__main__":
    torch.manual_seed(77)
    data = TensorDataset(torch.randn(64, 3, 16, 16), torch.randint(0, 3, (64,)))
    run(DataLoader(data, batch_size=8))
