"""Actor and critic after pytorch/examples/reinforcement_learning/actor_critic: hold a pole upright."""

import sys

import torch
import torch.nn.functional as F
from torch import nn, optim
from torch.distributions import Categorical


class Pole:
    """An inverted pendulum that is pushed to one side or the other."""

    def reset(self):
        self.angle, self.speed, self.time = 0.1 * float(torch.rand(())) - 0.05, 0.0, 0
        return self.state()

    def state(self):
        return torch.tensor([self.angle, self.speed]) / 0.1

    def step(self, action):
        self.speed += 0.1 * (2.0 * self.angle + (0.8 if action else -0.8))
        self.angle, self.time = self.angle + 0.1 * self.speed, self.time + 1
        return self.state(), 1.0, abs(self.angle) > 0.3 or self.time == 60


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.affine1 = nn.Linear(2, 32)
        self.action_head = nn.Linear(32, 2)
        self.value_head = nn.Linear(32, 1)

    def forward(self, x):
        x = F.relu(self.affine1(x))
        return F.softmax(self.action_head(x), dim=-1), self.value_head(x)


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
env, model = Pole(), Policy()
optimizer = optim.Adam(model.parameters(), lr=2e-2)
lengths = []
for episode in range(150):
    state, saved_actions, rewards, done = env.reset(), [], [], False
    while not done:
        probs, state_value = model(state)
        m = Categorical(probs)
        action = m.sample()
        saved_actions.append((m.log_prob(action), state_value))
        state, reward, done = env.step(action.item())
        rewards.append(reward)
    lengths.append(len(rewards))
    R, returns = 0.0, []
    for r in rewards[::-1]:
        R = r + 0.95 * R
        returns.insert(0, R)
    returns = torch.tensor(returns)
    returns = (returns - returns.mean()) / (returns.std() + 1e-5)
    policy_losses = [-log_prob * (R - value.item()) for (log_prob, value), R in zip(saved_actions, returns, strict=True)]
    value_losses = [F.smooth_l1_loss(value, R[None]) for (_, value), R in zip(saved_actions, returns, strict=True)]
    optimizer.zero_grad()
    loss = torch.stack(policy_losses).sum() + torch.stack(value_losses).sum()
    loss.backward()
    optimizer.step()
print(f"upright for {sum(lengths[:30]) / 30:.1f} steps at first, for {sum(lengths[-30:]) / 30:.1f} in the end")
assert sum(lengths[-30:]) > 1.5 * sum(lengths[:30])
