"""Policy gradient after pytorch/examples/reinforcement_learning/reinforce: walk to the goal of a corridor."""

import sys

import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.distributions import Categorical


class Corridor:
    """Nine places in a row; the walk begins in the middle, and the goal is at the end that the state tells."""

    def reset(self):
        self.place, self.goal, self.time = 0, 1 if torch.rand(()) < 0.5 else -1, 0
        return self.state()

    def state(self):
        return torch.tensor([self.place / 4, float(self.goal)])

    def step(self, action):
        self.place, self.time = self.place + (1 if action else -1), self.time + 1
        done = abs(self.place) == 4 or self.time == 20
        return self.state(), float(self.place == 4 * self.goal) - 0.05, done


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(2, 32)
        self.dropout = nn.Dropout(p=0.1)
        self.affine2 = nn.Linear(32, 2)

    def forward(self, x):
        x = F.relu(self.dropout(self.affine1(x)))
        return F.softmax(self.affine2(x), dim=1)


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
env, policy = Corridor(), Policy()
optimizer = optim.Adam(policy.parameters(), lr=1e-2)
arrived = []
for episode in range(250):
    state, log_probs, rewards, done = env.reset(), [], [], False
    while not done:
        m = Categorical(policy(state.unsqueeze(0)))
        action = m.sample()
        log_probs.append(m.log_prob(action))
        state, reward, done = env.step(action.item())
        rewards.append(reward)
    arrived.append(rewards[-1] > 0)
    R, returns = 0.0, []
    for r in rewards[::-1]:
        R = r + 0.99 * R
        returns.insert(0, R)
    optimizer.zero_grad()
    policy_loss = torch.cat([-log_prob * R for log_prob, R in zip(log_probs, returns, strict=True)]).sum()
    policy_loss.backward()
    optimizer.step()
print(f"arrived: {sum(arrived[:50])} of the first 50, {sum(arrived[-50:])} of the last 50")
assert sum(arrived[-50:]) > 40
