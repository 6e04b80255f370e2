"""REINFORCE on a corridor of ten cells."""

import torch
from torch import nn
from torch.distributions import Categorical

from meters import MeterBoard


class Corridor:
    def reset(self):
        self.position, self.time = 4, 0
        return self.observation()

    def observation(self):
        return nn.functional.one_hot(torch.tensor(self.position), 10).float()

    def step(self, action):
        self.position = min(9, max(0, self.position + (1 if action == 1 else -1)))
        self.time += 1
        return self.observation(), float(self.position == 9), self.position == 9 or self.time >= 30


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(10, 32), nn.Tanh(), nn.Linear(32, 2))

    def forward(self, observation):
        return Categorical(logits=self.body(observation))


def run_episode(env, policy):
    log_probs, rewards = [], []
    observation, done = env.reset(), False
    while not done:
        distribution = policy(observation)
        action = distribution.sample()
        observation, reward, done = env.step(action.item())
        log_probs.append(distribution.log_prob(action))
        rewards.append(reward)
    return torch.stack(log_probs), rewards


def main(episodes=40, gamma=0.97):
    env, policy, board = Corridor(), Policy(), MeterBoard()
    optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
    for episode in range(episodes):
        log_probs, rewards = run_episode(env, policy)
        returns, running = [], 0.0
        for reward in reversed(rewards):
            running = reward + gamma * running
            returns.insert(0, running)
        loss = -(log_probs * torch.tensor(returns)).sum()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        board.log(loss=loss, reward=sum(rewards))
        if episode % 10 == 9:
            print(episode + 1, f"loss {board.mean('loss'):.3f} reward {board.mean('reward'):.2f}", type(board.values["loss"][0]))


if __name__ == "__main__":
    torch.manual_seed(0)
    main()
