"""Seq2seq model with a helper method for greedy decoding, spread over the visible GPUs by DataParallel."""
import torch
from torch import nn


class Adder(nn.Module):
    """Predict the digits of a sum from the digits of two numbers."""

    def __init__(self, dim=48, digits=3):
        super().__init__()
        self.digits = digits
        self.embed = nn.Embedding(10, dim)
        self.rnn = nn.GRU(dim, dim, batch_first=True)
        self.heads = nn.ModuleList(nn.Linear(dim, 10) for _ in range(digits + 1))

    def forward(self, ids):
        _, h = self.rnn(self.embed(ids))
        return torch.stack([head(h[-1]) for head in self.heads], dim=1)

    @torch.no_grad()
    def decode(self, ids):
        return self(ids).argmax(-1)


def to_digits(n, width):
    return torch.stack([(n // 10**k) % 10 for k in range(width)], dim=1)


def sample(batch, gen, digits=3):
    a, b = torch.randint(0, 10**digits, (2, batch), generator=gen)
    return torch.cat([to_digits(a, digits), to_digits(b, digits)], dim=1), to_digits(a + b, digits + 1)


def exact_match(model, ids, target):
    model.eval()
    guess = model.module.decode(ids)
    return (guess.cpu() == target.cpu()).float().mean().item()


def main():
    torch.manual_seed(12)
    gen = torch.Generator().manual_seed(13)
    device = "cuda" if torch.cuda.is_available() else "cpu"
    model = nn.DataParallel(Adder().to(device))
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3, betas=(0.9, 0.98))
    loss_fn = nn.CrossEntropyLoss()
    for round_ in range(3):
        model.train()
        for _ in range(60):
            ids, target = (t.to(device) for t in sample(64, gen))
            optimizer.zero_grad()
            loss_fn(model(ids).flatten(0, 1), target.flatten()).backward()
            optimizer.step()
        ids, target = sample(200, gen)
        print(f"round {round_}: digit accuracy {exact_match(model, ids.to(device), target):.3f}")


if __name__ == "__main__":
    main()
