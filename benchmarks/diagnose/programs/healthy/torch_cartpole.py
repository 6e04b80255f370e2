"""Policy gradients on the cart and pole of Barto et al.: the surrogate loss grows as episodes grow longer, which is success."""

import math
import sys

import torch
from torch import nn
from torch.distributions import Categorical


class CartPole:
    def reset(self):
        self.state, self.time = [float(0.1 * torch.rand(()) - 0.05) for _ in range(4)], 0
        return torch.tensor(self.state)

    def step(self, action):
        x, speed, angle, turning = self.state
        push = (10.0 if action else -10.0) + 0.05 * turning**2 * math.sin(angle)
        acceleration = (9.8 * math.sin(angle) - math.cos(angle) * push / 1.1) / (
            0.5 * (4 / 3 - 0.1 * math.cos(angle) ** 2 / 1.1)
        )
        speed_change = (push - 0.05 * acceleration * math.cos(angle)) / 1.1
        self.state = [x + 0.02 * speed, speed + 0.02 * speed_change, angle + 0.02 * turning, turning + 0.02 * acceleration]
        self.time += 1
        return torch.tensor(self.state), abs(self.state[0]) > 2.4 or abs(self.state[2]) > 0.21 or self.time == 120


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
env = CartPole()
policy = nn.Sequential(nn.Linear(4, 32), nn.Tanh(), nn.Linear(32, 2))
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
lengths = []
for episode in range(120):
    state, log_probs, done = env.reset(), [], False
    while not done:
        m = Categorical(logits=policy(state))
        action = m.sample()
        log_probs.append(m.log_prob(action))
        state, done = env.step(action.item())
    lengths.append(len(log_probs))
    returns = torch.arange(len(log_probs), 0, -1.0) / 10
    loss = -(torch.stack(log_probs) * returns).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"{sum(lengths[:20]) / 20:.1f} steps at first, {sum(lengths[-20:]) / 20:.1f} in the end")
assert sum(lengths[-20:]) > 2 * sum(lengths[:20])
