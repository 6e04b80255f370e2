import numpy as np
import torch
import torch.nn as nn


class Grid:
    size = 4

    def reset(self):
        self.pos = np.array([0, 0])
        return self._obs()

    def _obs(self):
        one = np.zeros(self.size * self.size, dtype=np.float32)
        one[self.pos[0] * self.size + self.pos[1]] = 1
        return one

    def step(self, action):
        move = [(0, 1), (1, 0), (0, -1), (-1, 0)][action]
        self.pos = np.clip(self.pos + move, 0, self.size - 1)
        done = bool((self.pos == self.size - 1).all())
        return self._obs(), 1.0 if done else -0.02, done


class PolicyNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(16, 32), nn.ReLU(), nn.Linear(32, 4), nn.Softmax(dim=-1))

    def forward(self, s):
        return self.layers(torch.from_numpy(s))


def play(env, policy, rng, limit=40):
    s, log_probs, rewards = env.reset(), [], []
    for _ in range(limit):
        probs = policy(s)
        a = rng.choice(4, p=probs.detach().numpy() / probs.sum().item())
        log_probs.append(torch.log(probs[a]))
        s, r, done = env.step(a)
        rewards.append(r)
        if done:
            break
    return torch.stack(log_probs), rewards


torch.manual_seed(1)
rng = np.random.default_rng(1)
env, policy = Grid(), PolicyNet()
opt = torch.optim.Adam(policy.parameters(), lr=1e-2)
for episode in range(30):
    log_probs, rewards = play(env, policy, rng)
    returns = np.cumsum(rewards[::-1])[::-1].copy()
    loss = -(log_probs * torch.tensor(returns, dtype=torch.float32)).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
print("steps in the last episode:", len(rewards))
