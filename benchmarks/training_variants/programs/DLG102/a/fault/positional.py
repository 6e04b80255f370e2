import torch
import torch.nn as nn


class PositionalTransformer(nn.Module):
    def __init__(self, vocab=100, dim=32, length=64):
        super().__init__()
        self.tokens = nn.Embedding(vocab, dim)
        self.positions = nn.Embedding(length, dim)
        layer = nn.TransformerEncoderLayer(dim, 4, 64, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, 2)
        self.head = nn.Linear(dim, vocab)

    def forward(self, ids):
        positions = torch.arange(ids.size(1))
        x = self.tokens(ids) + self.positions(positions)
        return self.head(self.encoder(x))


def main():
    torch.manual_seed(0)
    device = torch.device("cuda")
    model = PositionalTransformer().to(device)
    optimizer = torch.optim.AdamW(model.parameters(), lr=1e-3)
    criterion = nn.CrossEntropyLoss()
    model.train()
    for step in range(20):
        start = torch.randint(0, 50, (16, 1), device=device)
        ids = start + torch.arange(33, device=device)
        optimizer.zero_grad()
        logits = model(ids[:, :-1])
        loss = criterion(logits.flatten(0, 1), ids[:, 1:].flatten())
        loss.backward()
        optimizer.step()
        if step % 5 == 0:
            print(step, loss.item())


if __name__ == "__main__":
    main()
