import torch
from torch import nn
from torch.utils.data import DataLoader, Dataset

from metrics import Accuracy


class SortedPairs(Dataset):
    """Is the first half of the sequence larger than the second?"""

    def __init__(self, n, seed):
        generator = torch.Generator().manual_seed(seed)
        self.items = torch.rand(n, 8, 4, generator=generator)

    def __len__(self):
        return len(self.items)

    def __getitem__(self, index):
        item = self.items[index]
        return {"inputs": item, "label": (item[:4].sum() > item[4:].sum()).long()}


class AttentionPool(nn.Module):
    def __init__(self, dim=16):
        super().__init__()
        self.embed = nn.Linear(4, dim)
        layer = nn.TransformerEncoderLayer(dim, nhead=2, dim_feedforward=32, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, num_layers=1)
        self.out = nn.Linear(dim * 8, 2)

    def forward(self, inputs):
        return self.out(self.encoder(self.embed(inputs)).flatten(1))


class Pipeline:
    def __init__(self):
        self.model = AttentionPool()
        self.metric = Accuracy()
        self.loaders = {
            "train": DataLoader(SortedPairs(320, 0), batch_size=32, shuffle=True),
            "valid": DataLoader(SortedPairs(64, 1), batch_size=32),
        }
        self.optimizer = torch.optim.AdamW(self.model.parameters(), lr=2e-3)

    def forward_batch(self, batch):
        logits = self.model(batch["inputs"])
        self.metric.update(logits, batch["label"])
        return logits

    def train(self):
        self.model.train()
        for batch in self.loaders["train"]:
            self.optimizer.zero_grad()
            nn.functional.cross_entropy(self.forward_batch(batch), batch["label"]).backward()
            self.optimizer.step()

    def validate(self):
        self.model.eval()
        self.metric.reset()
        for batch in self.loaders["valid"]:
            logits = self.forward_batch(batch)
        return self.metric.compute(), logits.requires_grad


if __name__ == "__main__":
    torch.manual_seed(0)
    pipeline = Pipeline()
    for epoch in range(3):
        pipeline.train()
        accuracy, recorded = pipeline.validate()
        print(f"epoch {epoch}: {accuracy:.3f} recorded={recorded}")
