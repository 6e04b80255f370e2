"""Recurrent model of paths in the plane."""
import torch
from torch import nn


class PathModel(nn.Module):
    def __init__(self, input_size=2, hidden_size=32, layers=2):
        super().__init__()
        self.rnn = nn.GRU(input_size, hidden_size, layers, batch_first=True)
        self.out = nn.Linear(hidden_size, input_size)

    def forward(self, path):
        states, _ = self.rnn(path)
        return self.out(states)


def circles(n, gen, length=20):
    start = 6.2832 * torch.rand(n, 1, generator=gen)
    angle = start + 0.3 * torch.arange(length + 1)
    path = torch.stack([angle.cos(), angle.sin()], dim=-1)
    return path[:, :-1], path[:, 1:]


def main(steps=60):
    torch.manual_seed(10)
    gen = torch.Generator().manual_seed(11)
    model = PathModel()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3, betas=(0.9, 0.98))
    model.train()
    for _ in range(steps):
        now, then = circles(32, gen)
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(now), then)
        loss.backward()
        optimizer.step()
    print(f"last loss {loss.item():.4f}")


if __name__ == "__main__":
    main()
