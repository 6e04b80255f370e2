import torch
from torch import nn


class Generator(nn.Module):
    def __init__(self, z_dim, classes, out_dim):
        super().__init__()
        self.label = nn.Embedding(classes, 4)
        self.net = nn.Sequential(nn.Linear(z_dim + 4, 32), nn.ReLU(), nn.Linear(32, out_dim), nn.Tanh())

    def forward(self, z, y):
        return self.net(torch.cat([z, self.label(y)], dim=1))


class Discriminator(nn.Module):
    def __init__(self, classes, in_dim):
        super().__init__()
        self.label = nn.Embedding(classes, 4)
        self.net = nn.Sequential(nn.Linear(in_dim + 4, 32), nn.LeakyReLU(0.2), nn.Linear(32, 1))

    def forward(self, x, y):
        return self.net(torch.cat([x, self.label(y)], dim=1)).squeeze(1)
