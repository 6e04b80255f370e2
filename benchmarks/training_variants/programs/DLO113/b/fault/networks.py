from torch import nn


def mlp(sizes, activation=nn.ReLU):
    layers = []
    for a, b in zip(sizes[:-1], sizes[1:]):
        layers += [nn.Linear(a, b), activation()]
    return nn.Sequential(*layers[:-1])


class Generator(nn.Module):
    def __init__(self, latent):
        super().__init__()
        self.latent = latent
        self.net = mlp([latent, 32, 32, 2])

    def forward(self, z):
        return self.net(z)


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = mlp([2, 32, 32, 1], nn.LeakyReLU)

    def forward(self, x):
        return self.net(x)
