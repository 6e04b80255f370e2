import torch
from torch import nn


class Surrogate(nn.Module):
    """Emulator of a simulation: parameters in, curve out."""

    def __init__(self, inputs=256, width=256, outputs=20):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(inputs, width), nn.Linear(width, width), nn.Linear(width, outputs)])
        for layer in self.layers:
            nn.init.xavier_normal_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, x):
        for layer in self.layers[:-1]:
            x = torch.tanh(layer(x))
        return self.layers[-1](x)


def fit(model, x, y, epochs, lr):
    optimizer = torch.optim.Adam(model.parameters(), lr=lr)
    for epoch in range(epochs):
        for i in torch.randperm(len(x)).split(32):
            optimizer.zero_grad()
            loss = nn.functional.mse_loss(model(x[i]), y[i])
            loss.backward()
            optimizer.step()
        print(epoch, f"{loss.item():.4f}")


if __name__ == "__main__":
    torch.manual_seed(0)
    parameters = torch.randn(192, 256)
    grid = torch.linspace(0, 1, 20)
    curves = torch.sin(3 * grid * parameters[:, :1]) + parameters[:, 1:2] * grid
    fit(Surrogate(), parameters, curves, epochs=4, lr=1e-3)
