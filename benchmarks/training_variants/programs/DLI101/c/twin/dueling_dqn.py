import random

import torch
import torch.nn as nn


class DuelingDQN(nn.Module):
    def __init__(self, obs, actions, width=16):
        super().__init__()
        self.feature = nn.Linear(obs, width)
        self.advantage = nn.Linear(width, actions)
        self.value = nn.Linear(width, 1)
        self._reset()

    def _reset(self):
        for layer in self.children():
            nn.init.orthogonal_(layer.weight)
            nn.init.zeros_(layer.bias)

    def forward(self, x):
        h = torch.relu(self.feature(x))
        a = self.advantage(h)
        return self.value(h) + a - a.mean(dim=1, keepdim=True)


def rollout(net, n, epsilon):
    states = torch.randn(n, 4)
    with torch.no_grad():
        actions = net(states).argmax(1)
    for i in range(n):
        if random.random() < epsilon:
            actions[i] = random.randrange(3)
    rewards = (actions == states[:, :3].argmax(1)).float()
    return states, actions, rewards


def learn(steps=120):
    net = DuelingDQN(4, 3)
    opt = torch.optim.Adam(net.parameters(), lr=5e-3)
    for step in range(steps):
        s, a, r = rollout(net, 64, epsilon=0.3)
        q = net(s).gather(1, a[:, None]).squeeze(1)
        loss = nn.functional.smooth_l1_loss(q, r)
        opt.zero_grad()
        loss.backward()
        opt.step()
    return net, loss.item()


if __name__ == "__main__":
    random.seed(0)
    torch.manual_seed(0)
    net, loss = learn()
    spread = net.feature.weight.std(dim=0).mean().item()
    print("loss %.4f, spread over the units %.6f" % (loss, spread))
