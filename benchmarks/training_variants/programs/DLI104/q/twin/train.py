"""Policy gradient bandit with a hidden layer whose weights are drawn by torch.rand."""
import torch
from torch import nn


class Dense(nn.Module):
    def __init__(self, n_in, n_out):
        super().__init__()
        bound = n_in**-0.5
        self.weight = nn.Parameter(torch.empty(n_in, n_out).uniform_(-bound, bound))
        self.bias = nn.Parameter(torch.zeros(n_out))

    def forward(self, x):
        return x @ self.weight + self.bias


class Policy(nn.Module):
    def __init__(self, context=16, hidden=64, arms=4):
        super().__init__()
        self.one, self.two, self.three = Dense(context, hidden), Dense(hidden, hidden), Dense(hidden, arms)

    def forward(self, x):
        h = torch.tanh(self.one(x))
        h = torch.tanh(self.two(h))
        return self.three(h)


class Bandit:
    def __init__(self, seed):
        self.gen = torch.Generator().manual_seed(seed)
        self.best = torch.randn(16, 4, generator=self.gen)

    def contexts(self, n):
        return torch.randn(n, 16, generator=self.gen)

    def pay(self, x, arm):
        return ((x @ self.best).argmax(1) == arm).float()


def main(steps=300, batch=128):
    torch.manual_seed(39)
    bandit, policy = Bandit(40), Policy()
    optimizer = torch.optim.Adam(policy.parameters(), lr=3e-3, betas=(0.9, 0.98))
    baseline, recent = 0.25, []
    for _ in range(steps):
        x = bandit.contexts(batch)
        dist = torch.distributions.Categorical(logits=policy(x))
        arm = dist.sample()
        reward = bandit.pay(x, arm)
        loss = -((reward - baseline) * dist.log_prob(arm)).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        baseline = 0.95 * baseline + 0.05 * reward.mean().item()
        recent.append(reward.mean().item())
    print(f"reward of the last 30 steps {sum(recent[-30:]) / 30:.3f}")


if __name__ == "__main__":
    main()
