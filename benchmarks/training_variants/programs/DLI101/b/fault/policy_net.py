from functools import partial

import torch
from torch import nn

from init import init_layer


class QNetwork(nn.Module):
    def __init__(self, observations=6, actions=3, hidden=24):
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(observations, hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.q = nn.Linear(hidden, actions)
        self.apply(partial(init_layer, scheme="ones"))

    def forward(self, observation):
        return self.q(self.encoder(observation))


def reward(observations, actions):
    return (observations.view(-1, 3, 2).sum(-1).argmax(-1) == actions).float()


def main():
    torch.manual_seed(0)
    network = QNetwork()
    optimizer = torch.optim.Adam(network.parameters(), lr=3e-3)
    network.train()
    for update in range(200):
        observations = torch.rand(64, 6) - 0.5
        actions = torch.randint(0, 3, (64,))
        values = network(observations).gather(1, actions[:, None]).squeeze(1)
        loss = nn.functional.smooth_l1_loss(values, reward(observations, actions))
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if update % 50 == 49:
            print(update + 1, f"{loss.item():.4f}")
    first = network.encoder[0].weight.detach()
    print("hidden units are alike:", torch.allclose(first, first[:1].expand_as(first)))


if __name__ == "__main__":
    main()
