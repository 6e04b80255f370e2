"""REINFORCE on a small corridor; gradients are clipped by norm since the returns have heavy tails."""
import argparse

import torch
from torch import nn
from torch.distributions import Categorical


class Corridor:
    """Walk right to the goal; a rare jackpot multiplies the reward."""

    def __init__(self, length, gen):
        self.length, self.gen = length, gen

    def reset(self):
        self.at, self.time = 0, 0
        return self.observe()

    def observe(self):
        return torch.eye(self.length)[self.at]

    def step(self, action):
        self.at = min(max(self.at + (1 if action else -1), 0), self.length - 1)
        self.time += 1
        done = self.at == self.length - 1 or self.time >= 30
        reward = -0.1
        if self.at == self.length - 1:
            reward = 100.0 if torch.rand((), generator=self.gen) < 0.1 else 1.0
        return self.observe(), reward, done


class Agent:
    def __init__(self, states, lr, max_norm):
        self.policy = nn.Sequential(nn.Linear(states, 24), nn.Tanh(), nn.Linear(24, 2))
        self.optimizer = torch.optim.SGD(self.policy.parameters(), lr=lr, momentum=0.0, weight_decay=0.0)
        self.max_norm = max_norm

    def learn(self, log_probs, rewards, discount=0.97):
        returns, g = [], 0.0
        for r in reversed(rewards):
            g = r + discount * g
            returns.append(g)
        returns = torch.tensor(returns[::-1])
        loss = -(torch.stack(log_probs) * returns).sum()
        self.optimizer.zero_grad()
        loss.backward()
        before = [p.detach().clone() for p in self.policy.parameters()]
        nn.utils.clip_grad_norm_(self.policy.parameters(), self.max_norm)
        self.optimizer.step()
        moved = [(p.detach() - b).pow(2).sum() for p, b in zip(self.policy.parameters(), before)]
        return torch.stack(moved).sum().sqrt().item()


def main():
    ap = argparse.ArgumentParser()
    ap.add_argument("--episodes", type=int, default=60)
    ap.add_argument("--lr", type=float, default=0.05)
    ap.add_argument("--clip", type=float, default=1.0)
    args = ap.parse_args()
    torch.manual_seed(31)
    env = Corridor(6, torch.Generator().manual_seed(5))
    agent = Agent(6, args.lr, args.clip)
    largest = 0.0
    for _ in range(args.episodes):
        state, done, log_probs, rewards = env.reset(), False, [], []
        while not done:
            dist = Categorical(logits=agent.policy(state))
            action = dist.sample()
            log_probs.append(dist.log_prob(action))
            state, reward, done = env.step(action.item())
            rewards.append(reward)
        largest = max(largest, agent.learn(log_probs, rewards))
    print(f"largest update {largest:.4f} (lr * clip = {args.lr * args.clip})")


if __name__ == "__main__":
    main()
