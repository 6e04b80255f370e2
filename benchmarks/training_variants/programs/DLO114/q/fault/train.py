"""Saliency by input gradients and a frozen embedding table in one small text model."""
import torch
from torch import nn


class TextCNN(nn.Module):
    def __init__(self, vectors, classes, width=24):
        super().__init__()
        self.embedding = nn.Embedding.from_pretrained(vectors, freeze=False)
        self.convs = nn.ModuleList(nn.Conv1d(vectors.shape[1], width, k, padding=k // 2) for k in (3, 5))
        self.fc = nn.Linear(2 * width, classes)

    def freeze_vectors(self):
        for parameter in self.embedding.parameters():
            parameter.require_grad = False

    def forward(self, ids):
        x = self.embedding(ids).transpose(1, 2)
        pooled = [torch.relu(conv(x)).amax(dim=2) for conv in self.convs]
        return self.fc(torch.cat(pooled, dim=1))


def documents(n, gen, vocab=120, length=18):
    y = torch.randint(0, 3, (n,), generator=gen)
    ids = torch.randint(0, vocab, (n, length), generator=gen)
    ids[:, 4:6] = 10 * y[:, None] + torch.randint(0, 10, (n, 2), generator=gen)
    return ids, y


def main(steps=100):
    torch.manual_seed(70)
    gen = torch.Generator().manual_seed(71)
    vectors = torch.randn(120, 16)
    model = TextCNN(vectors.clone(), classes=3)
    model.freeze_vectors()
    trainable = [p for p in model.parameters() if p.requires_grad]
    optimizer = torch.optim.AdamW(trainable, lr=3e-3, weight_decay=1e-4)
    model.train()
    for _ in range(steps):
        ids, y = documents(32, gen)
        optimizer.zero_grad()
        nn.functional.cross_entropy(model(ids), y).backward()
        optimizer.step()
    model.eval()
    with torch.no_grad():
        ids, y = documents(500, gen)
        accuracy = (model(ids).argmax(1) == y).float().mean().item()
    change = (model.embedding.weight.detach() - vectors).abs().max().item()
    print(f"accuracy {accuracy:.3f}, change of the frozen vectors {change:.4f}")


if __name__ == "__main__":
    main()
