"""Deep Q-learning on a windy grid: replay buffer, target network, soft updates."""
import copy
import random
from collections import deque

import torch
from torch import nn

SIZE = 5
MOVES = [(0, 1), (0, -1), (1, 0), (-1, 0)]


class Grid:
    def reset(self):
        self.pos, self.t = (0, 0), 0
        return self.state()

    def state(self):
        return torch.tensor([self.pos[0] / SIZE, self.pos[1] / SIZE])

    def step(self, a):
        r, c = self.pos[0] + MOVES[a][0], self.pos[1] + MOVES[a][1] + (1 if random.random() < 0.1 else 0)
        self.pos = (min(max(r, 0), SIZE - 1), min(max(c, 0), SIZE - 1))
        self.t += 1
        goal = self.pos == (SIZE - 1, SIZE - 1)
        return self.state(), 1.0 if goal else -0.02, goal, goal or self.t >= 40


class DQN:
    def __init__(self, lr=1e-3, gamma=0.95, tau=0.02):
        self.q = nn.Sequential(nn.Linear(2, 64), nn.ReLU(), nn.Linear(64, 64), nn.ReLU(), nn.Linear(64, 4))
        self.target = copy.deepcopy(self.q).requires_grad_(False)
        self.optimizer = torch.optim.Adam(self.q.parameters(), lr=lr, eps=1e-5)
        self.memory = deque(maxlen=5000)
        self.gamma, self.tau = gamma, tau

    def act(self, state, eps):
        if random.random() < eps:
            return random.randrange(4)
        with torch.no_grad():
            return int(self.q(state).argmax())

    def replay(self, batch=32):
        s, a, r, s2, end = zip(*random.sample(self.memory, batch))
        s, s2 = torch.stack(s), torch.stack(s2)
        a, r, end = torch.tensor(a), torch.tensor(r), torch.tensor(end, dtype=torch.float32)
        value = self.q(s).gather(1, a[:, None]).squeeze(1)
        goal = r + self.gamma * (1 - end) * self.target(s2).max(dim=1).values
        loss = nn.functional.smooth_l1_loss(value, goal)
        self.optimizer.zero_grad()
        self.optimizer.step()
        with torch.no_grad():
            for t, p in zip(self.target.parameters(), self.q.parameters()):
                t.lerp_(p, self.tau)
        return loss.item()


def main(episodes=60):
    random.seed(1)
    torch.manual_seed(1)
    env, agent, lengths = Grid(), DQN(), []
    for episode in range(episodes):
        state, done = env.reset(), False
        while not done:
            action = agent.act(state, eps=max(0.05, 1 - episode / 30))
            after, reward, goal, done = env.step(action)
            agent.memory.append((state, action, reward, after, goal))
            state = after
            if len(agent.memory) > 100:
                agent.replay()
        lengths.append(env.t)
    print("mean length of the last 15 episodes", sum(lengths[-15:]) / 15)


if __name__ == "__main__":
    main()
