import torch
from torch import nn


class PairClassifier(nn.Module):
    def __init__(self, vocab, dim=24, hidden=32, p=0.4):
        super().__init__()
        self.embedding = nn.Embedding(vocab, dim)
        self.encoder = nn.GRU(dim, hidden, batch_first=True)
        self.head = nn.Sequential(nn.Dropout(p), nn.Linear(4 * hidden, 64), nn.ReLU(), nn.Dropout(p), nn.Linear(64, 3))

    def encode(self, tokens):
        return self.encoder(self.embedding(tokens))[1][-1]

    def forward(self, premise, hypothesis):
        u, v = self.encode(premise), self.encode(hypothesis)
        return self.head(torch.cat([u, v, (u - v).abs(), u * v], dim=1))


def evaluate(model, batches):
    model.eval()
    right = total = 0
    with torch.no_grad():
        for premise, hypothesis, label in batches:
            right += (model(premise, hypothesis).argmax(1) == label).sum().item()
            total += label.numel()
    return right / total


def make_batches(n, size, generator):
    premise = torch.randint(0, 30, (n, 7), generator=generator)
    hypothesis = torch.randint(0, 30, (n, 5), generator=generator)
    label = (premise[:, 0] > hypothesis[:, 0]).long() + (premise[:, 1] > hypothesis[:, 1]).long()
    return list(zip(premise.split(size), hypothesis.split(size), label.split(size)))


def main():
    torch.manual_seed(0)
    generator = torch.Generator().manual_seed(4)
    train, dev = make_batches(192, 32, generator), make_batches(64, 32, generator)
    model = PairClassifier(30)
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.Adam(model.parameters(), lr=4e-3)
    model.train()
    for epoch in range(5):
        epoch_loss = 0.0
        for premise, hypothesis, label in train:
            optimizer.zero_grad()
            loss = criterion(model(premise, hypothesis), label)
            loss.backward()
            optimizer.step()
            epoch_loss += loss.item()
        print(f"{epoch}: loss {epoch_loss / len(train):.4f} dev {evaluate(model, dev):.3f}")


if __name__ == "__main__":
    main()
