import torch
from torch import nn


class MetricLogger:
    """Smoothed values of what is logged."""

    def __init__(self, momentum=0.9):
        self.momentum = momentum
        self.values = {}

    def update(self, **kwargs):
        for name, value in kwargs.items():
            old = self.values.get(name, value)
            self.values[name] = self.momentum * old + (1 - self.momentum) * value

    def __str__(self):
        return "  ".join(f"{name}: {float(value):.4f}" for name, value in self.values.items())


class Autoencoder(nn.Module):
    def __init__(self, dim, code):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(dim, 32), nn.GELU(), nn.Linear(32, code))
        self.decoder = nn.Sequential(nn.Linear(code, 32), nn.GELU(), nn.Linear(32, dim))

    def forward(self, x):
        code = self.encoder(x)
        return self.decoder(code), code


def train(model, data, epochs=3):
    logger = MetricLogger()
    optimizer = torch.optim.Adam(model.parameters(), lr=3e-3)
    model.train()
    for epoch in range(epochs):
        for batch in data.split(32):
            recon, code = model(batch)
            rec = nn.functional.mse_loss(recon, batch)
            sparse = code.abs().mean()
            loss = rec + 0.01 * sparse
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            logger.update(loss=loss, rec=rec, sparse=sparse)
        print(epoch, logger, "graph" if getattr(logger.values["loss"], "grad_fn", None) else "no graph")


if __name__ == "__main__":
    torch.manual_seed(0)
    basis = torch.randn(3, 16)
    train(Autoencoder(16, 4), torch.randn(256, 3) @ basis)
