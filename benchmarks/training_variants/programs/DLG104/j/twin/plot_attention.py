import numpy as np
import torch
from torch import nn


class AttentiveClassifier(nn.Module):
    def __init__(self, vocab, dim=16, classes=2):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.attn = nn.MultiheadAttention(dim, 2, batch_first=True)
        self.out = nn.Linear(dim, classes)

    def forward(self, ids):
        x = self.emb(ids)
        y, weights = self.attn(x, x, x, average_attn_weights=True)
        return self.out(y.mean(1)), weights


class Report:
    def __init__(self):
        self.maps = []

    def add(self, weights):
        self.maps.append(weights.detach().cpu().numpy())

    def entropy(self):
        stacked = np.concatenate(self.maps)
        return float(-(stacked * np.log(stacked + 1e-9)).sum(-1).mean())


def train(model, ids, labels, epochs):
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    report = Report()
    for epoch in range(epochs):
        for x, y in zip(ids.split(16), labels.split(16)):
            logits, weights = model(x)
            loss = nn.functional.cross_entropy(logits, y)
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
        report.add(weights)
    return report


if __name__ == "__main__":
    torch.manual_seed(0)
    tokens = torch.randint(0, 20, (64, 7))
    summary = train(AttentiveClassifier(20), tokens, (tokens == 3).any(1).long(), epochs=3)
    print("mean entropy", round(summary.entropy(), 4))
