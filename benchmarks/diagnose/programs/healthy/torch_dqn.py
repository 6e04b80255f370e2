"""After the PyTorch tutorial "Reinforcement learning (DQN)": replay memory, a slow target network, Huber loss."""

import random
import sys
from collections import deque

import torch
from torch import nn, optim

seed = int(sys.argv[1]) if len(sys.argv) > 1 else 0
torch.manual_seed(seed)
random.seed(seed)
torch.set_num_threads(1)
BATCH_SIZE, GAMMA, TAU, SIZE = 32, 0.9, 0.01, 5


def observe(place):
    return torch.tensor([place[0] / 2 - 1, place[1] / 2 - 1])


def move(place, action):
    """Walk on a board of 5 x 5 from one corner to the other."""
    dx, dy = [(0, 1), (0, -1), (1, 0), (-1, 0)][action]
    place = (min(max(place[0] + dx, 0), SIZE - 1), min(max(place[1] + dy, 0), SIZE - 1))
    done = place == (SIZE - 1, SIZE - 1)
    return place, 1.0 if done else -0.05, done


class DQN(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(2, 48), nn.ReLU(), nn.Linear(48, 48), nn.ReLU(), nn.Linear(48, 4))

    def forward(self, x):
        return self.layers(x)


policy_net, target_net = DQN(), DQN()
target_net.load_state_dict(policy_net.state_dict())
optimizer = optim.AdamW(policy_net.parameters(), lr=2e-3, amsgrad=True)
memory, lengths = deque(maxlen=2000), []
for episode in range(50):
    place, done, steps = (0, 0), False, 0
    while not done and steps < 40:
        epsilon = max(0.05, 1 - episode / 25)
        with torch.no_grad():
            action = random.randrange(4) if random.random() < epsilon else int(policy_net(observe(place)[None]).argmax())
        after, reward, done = move(place, action)
        memory.append((observe(place), action, observe(after), reward, float(done)))
        place, steps = after, steps + 1
        if len(memory) < BATCH_SIZE:
            continue
        state, chosen, following, rewards, ended = map(list, zip(*random.sample(memory, BATCH_SIZE), strict=True))
        values = policy_net(torch.stack(state)).gather(1, torch.tensor(chosen)[:, None])
        with torch.no_grad():
            next_values = target_net(torch.stack(following)).max(1).values
        expected = torch.tensor(rewards) + GAMMA * next_values * (1 - torch.tensor(ended))
        loss = nn.SmoothL1Loss()(values, expected.unsqueeze(1))
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_value_(policy_net.parameters(), 100)
        optimizer.step()
        state_dict = target_net.state_dict()
        for key, value in policy_net.state_dict().items():
            state_dict[key] = value * TAU + state_dict[key] * (1 - TAU)
        target_net.load_state_dict(state_dict)
    lengths.append(steps)
print(f"steps to the goal: {sum(lengths[:10]) / 10:.1f} at first, {sum(lengths[-10:]) / 10:.1f} in the end")
assert sum(lengths[-10:]) < 0.5 * sum(lengths[:10])
