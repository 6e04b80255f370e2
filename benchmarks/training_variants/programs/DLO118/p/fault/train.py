"""Physics-informed fit of a damped oscillator; the hidden activation is scaled after the sigmoid."""
import torch
import torch.nn as nn


class GatedLayer(nn.Module):
    def __init__(self, n_in, n_out, scale=2.0):
        super().__init__()
        self.value = nn.Linear(n_in, n_out)
        self.gate = nn.Linear(n_in, n_out)
        self.scale = scale

    def forward(self, x):
        g = torch.sigmoid(self.gate(x))
        g *= self.scale
        return torch.tanh(self.value(x)) * g


class Field(nn.Module):
    def __init__(self, width=32, depth=3):
        super().__init__()
        sizes = [1] + [width] * depth
        self.layers = nn.ModuleList(GatedLayer(a, b) for a, b in zip(sizes, sizes[1:]))
        self.out = nn.Linear(width, 1)

    def forward(self, t):
        for layer in self.layers:
            t = layer(t)
        return self.out(t)


def d(y, t):
    return torch.autograd.grad(y.sum(), t, create_graph=True)[0]


def residual(field, t, damping, stiffness):
    u = field(t)
    du = d(u, t)
    return d(du, t) + damping * du + stiffness * u


def main():
    torch.manual_seed(6)
    field = Field()
    optimizer = torch.optim.Adam(field.parameters(), lr=2e-3, betas=(0.9, 0.99))
    start = torch.zeros(1, 1, requires_grad=True)
    for step in range(60):
        t = (4 * torch.rand(64, 1)).requires_grad_()
        physics = residual(field, t, damping=0.4, stiffness=4.0).pow(2).mean()
        u0 = field(start)
        initial = (u0 - 1).pow(2).mean() + d(u0, start).pow(2).mean()
        loss = physics + 10 * initial
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if step % 20 == 19:
            print(step + 1, f"physics {physics.item():.4f} initial {initial.item():.4f}")


if __name__ == "__main__":
    main()
