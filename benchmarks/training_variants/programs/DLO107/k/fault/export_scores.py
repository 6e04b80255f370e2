import csv

import torch
from torch import nn


class TabularNet(nn.Module):
    def __init__(self, cardinalities, numeric, hidden=32):
        super().__init__()
        self.embeddings = nn.ModuleList(nn.Embedding(c, min(8, c)) for c in cardinalities)
        width = sum(min(8, c) for c in cardinalities) + numeric
        self.norm = nn.BatchNorm1d(numeric)
        self.mlp = nn.Sequential(
            nn.Linear(width, hidden), nn.ReLU(), nn.Dropout(0.3), nn.Linear(hidden, hidden), nn.ReLU(), nn.Linear(hidden, 1)
        )

    def forward(self, cats, nums):
        parts = [layer(cats[:, i]) for i, layer in enumerate(self.embeddings)]
        return self.mlp(torch.cat(parts + [self.norm(nums)], dim=1)).squeeze(1)


def train_model(model, cats, nums, target, epochs):
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    model.train()
    for _ in range(epochs):
        for idx in torch.randperm(len(target)).split(32):
            loss = nn.functional.binary_cross_entropy_with_logits(model(cats[idx], nums[idx]), target[idx])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    return model


def write_submission(model, cats, nums, path):
    with torch.inference_mode(), open(path, "w", newline="") as handle:
        writer = csv.writer(handle)
        writer.writerow(["id", "score"])
        ids = torch.arange(len(nums))
        for chunk in ids.split(16):
            scores = torch.sigmoid(model(cats[chunk], nums[chunk]))
            writer.writerows(zip(chunk.tolist(), [f"{s:.4f}" for s in scores.tolist()]))


if __name__ == "__main__":
    torch.manual_seed(11)
    cats = torch.stack([torch.randint(0, 5, (260,)), torch.randint(0, 12, (260,))], dim=1)
    nums = torch.randn(260, 4)
    target = ((nums[:, 0] + (cats[:, 0] == 2).float()) > 0.3).float()
    net = train_model(TabularNet([5, 12], 4), cats[:200], nums[:200], target[:200], epochs=5)
    write_submission(net, cats[200:], nums[200:], "submission.csv")
    print(open("submission.csv").read()[:60])
