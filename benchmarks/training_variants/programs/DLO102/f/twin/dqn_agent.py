import random
from collections import deque

import numpy as np
import torch
import torch.nn as nn
import torch.optim as optim


class QNet(nn.Module):
    def __init__(self, n_obs, n_act, hidden=64):
        super().__init__()
        self.fc1 = nn.Linear(n_obs, hidden)
        self.fc2 = nn.Linear(hidden, n_act)

    def forward(self, s):
        return self.fc2(torch.relu(self.fc1(s)))


class Agent:
    def __init__(self, n_obs, n_act, gamma=0.95, lr=1e-3):
        self.q = QNet(n_obs, n_act)
        self.q_target = QNet(n_obs, n_act)
        self.q_target.load_state_dict(self.q.state_dict())
        self.optim = optim.RMSprop(self.q.parameters(), lr=lr)
        self.memory = deque(maxlen=2000)
        self.gamma = gamma
        self.n_act = n_act

    def act(self, state, eps):
        if random.random() < eps:
            return random.randrange(self.n_act)
        with torch.no_grad():
            return int(self.q(torch.as_tensor(state)).argmax())

    def optimize(self, batch_size=32):
        batch = random.sample(self.memory, batch_size)
        s, a, r, s2 = (torch.as_tensor(np.array(x)) for x in zip(*batch))
        q = self.q(s).gather(1, a.unsqueeze(1)).squeeze(1)
        with torch.no_grad():
            target = r + self.gamma * self.q_target(s2).max(1).values
        loss = nn.functional.smooth_l1_loss(q, target)
        self.optim.zero_grad()
        loss.backward()
        self.optim.step()
        return loss.item()


def walk(agent, steps=300):
    state = np.zeros(4, dtype=np.float32)
    for step in range(steps):
        action = agent.act(state, eps=max(0.1, 1 - step / 200))
        nxt = np.clip(state + np.random.normal(0, 0.1, 4) + (action - 1) * 0.1, -1, 1).astype(np.float32)
        agent.memory.append((state, action, np.float32(-abs(nxt).sum()), nxt))
        state = nxt
        if len(agent.memory) >= 64:
            loss = agent.optimize()
        if step % 50 == 0:
            agent.q_target.load_state_dict(agent.q.state_dict())
    print("last loss %.5f, |w| %.5f" % (loss, agent.q.fc1.weight.abs().mean()))


if __name__ == "__main__":
    for seeder in (random.seed, np.random.seed, torch.manual_seed):
        seeder(3)
    walk(Agent(4, 3))
