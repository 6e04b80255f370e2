"""A policy gradient on an environment of its own, with a running baseline."""

import random

import torch
from torch import nn
from torch.distributions import Categorical

random.seed(3)
torch.manual_seed(3)
policy = nn.Sequential(nn.Linear(2, 16), nn.Tanh(), nn.Linear(16, 2))
optimizer = torch.optim.Adam(policy.parameters(), lr=0.01)
baseline = 0.0
for episode in range(40):
    state, log_probabilities, rewards = torch.tensor([random.uniform(-1, 1), 1.0]), [], []
    for _ in range(10):
        choice = Categorical(logits=policy(state))
        action = choice.sample()
        log_probabilities.append(choice.log_prob(action))
        rewards.append(1.0 if (state[0] > 0) == bool(action) else -1.0)
        state = torch.tensor([random.uniform(-1, 1), 1.0])
    baseline = 0.9 * baseline + 0.1 * sum(rewards)
    loss = -(torch.stack(log_probabilities).sum() * (sum(rewards) - baseline))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if episode % 10 == 0:
        print(episode, sum(rewards), round(baseline, 6))
