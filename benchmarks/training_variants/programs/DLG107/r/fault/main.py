import torch
from torch import nn

from model import VAE


def loss_of(restored, x, mean, log_var):
    divergence = -0.5 * (1 + log_var - mean.pow(2) - log_var.exp()).mean()
    return nn.functional.mse_loss(restored, x) + 0.01 * divergence


def main():
    torch.manual_seed(0)
    x = torch.randn(64, 10)
    model = nn.DataParallel(VAE(10, 3))
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-3)
    for epoch in range(3):
        optimizer.zero_grad()
        restored, mean, log_var = model(x)
        loss = loss_of(restored, x, mean, log_var)
        loss.backward()
        optimizer.step()
        samples = model.sample(4)
        print(epoch, loss.item(), samples.shape)


if __name__ == "__main__":
    main()
