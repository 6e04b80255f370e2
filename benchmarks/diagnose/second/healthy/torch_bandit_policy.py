"""A contextual bandit: the policy gradient with the running mean of the rewards as a baseline."""

import sys

import torch
from torch import nn
from torch.distributions import Categorical

torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
worth = torch.randn(6, 4)
policy = nn.Sequential(nn.Linear(6, 32), nn.Tanh(), nn.Linear(32, 4))
optimizer = torch.optim.Adam(policy.parameters(), lr=0.01)
baseline, seen = 0.0, []
for step in range(1, 601):
    contexts = torch.randn(32, 6)
    chances = Categorical(logits=policy(contexts))
    actions = chances.sample()
    rewards = (contexts @ worth).gather(1, actions.unsqueeze(1)).squeeze(1) + 0.3 * torch.randn(32)
    loss = -(chances.log_prob(actions) * (rewards - baseline)).mean() - 0.01 * chances.entropy().mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    baseline = 0.95 * baseline + 0.05 * rewards.mean().item()
    seen.append(rewards.mean().item())
    if step % 150 == 0:
        print(f"step {step}: mean reward of the last steps {sum(seen[-150:]) / 150:.3f}")
