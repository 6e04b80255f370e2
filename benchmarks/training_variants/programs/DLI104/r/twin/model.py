"""A deep multilayer perceptron with its own initialisation."""
from torch import nn


class Perceptron(nn.Module):
    def __init__(self, inputs=20, width=128, classes=4, std=0.05):
        super().__init__()
        self.std = std
        self.net = nn.Sequential(
            nn.Linear(inputs, width), nn.Tanh(),
            nn.Linear(width, width), nn.Tanh(),
            nn.Linear(width, classes),
        )
        self.apply(self._init_weights)

    def _init_weights(self, module):
        if isinstance(module, nn.Linear):
            nn.init.normal_(module.weight, mean=0.0, std=self.std)
            nn.init.zeros_(module.bias)

    def forward(self, x):
        return self.net(x)
