import torch
from torch import nn


class Dynamics(nn.Module):
    """Residual model of a pendulum-like system."""

    def __init__(self, state=3, hidden=24):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(state, hidden), nn.SiLU(), nn.Linear(hidden, state))

    def forward(self, x):
        return x + 0.1 * self.net(x)

    def rollout(self, start, steps):
        x = start
        path = torch.empty(0, *start.shape)
        for _ in range(steps):
            x = self(x)
            path = torch.cat([path, x.unsqueeze(0)])
        return path


def truth(start, steps):
    turn = torch.tensor([[0.98, -0.17, 0.0], [0.17, 0.98, 0.0], [0.0, 0.0, 0.95]])
    states = [start]
    for _ in range(steps):
        states.append(states[-1] @ turn.t())
    return torch.stack(states[1:])


def main(epochs=20, steps=15):
    torch.manual_seed(0)
    start = torch.randn(32, 3)
    goal = truth(start, steps)
    model = Dynamics()
    optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
    for epoch in range(epochs):
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model.rollout(start, steps), goal)
        loss.backward()
        optimizer.step()
        if epoch % 5 == 4:
            print(epoch, f"{loss.item():.4f}")


if __name__ == "__main__":
    main()
