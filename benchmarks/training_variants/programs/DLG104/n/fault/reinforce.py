from collections import deque

import numpy as np
import torch
from torch import nn
from torch.distributions import Categorical


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(3, 16), nn.Tanh())
        self.pi, self.value = nn.Linear(16, 4), nn.Linear(16, 1)

    def forward(self, state):
        h = self.net(state)
        return Categorical(logits=self.pi(h)), self.value(h).squeeze(-1)


def returns(rewards, bootstrap, gamma=0.95):
    out = deque()
    acc = bootstrap
    for reward in reversed(rewards):
        acc = reward + gamma * acc
        out.appendleft(acc)
    return np.array(out, dtype=np.float32)


def main():
    torch.manual_seed(0)
    rng = np.random.default_rng(0)
    policy = Policy()
    opt = torch.optim.Adam(policy.parameters(), lr=3e-3)
    for _ in range(3):
        state, logs, values, rewards = rng.normal(size=3).astype(np.float32), [], [], []
        while len(rewards) < 10:
            pi, value = policy(torch.from_numpy(state))
            action = pi.sample()
            logs.append(pi.log_prob(action))
            values.append(value)
            rewards.append(float(action == 2))
            state = rng.normal(size=3).astype(np.float32)
        _, tail = policy(torch.from_numpy(state))
        target = torch.from_numpy(returns(rewards, tail))
        value = torch.stack(values)
        advantage = target - value
        loss = -(torch.stack(logs) * advantage.detach()).mean() + advantage.pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
    print(sum(rewards) >= 0)


if __name__ == "__main__":
    main()
