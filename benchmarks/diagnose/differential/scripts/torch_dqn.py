"""Q-learning with a target network and a memory of transitions."""

import copy
import random
from collections import deque

import torch
from torch import nn

random.seed(0)
torch.manual_seed(0)
online = nn.Sequential(nn.Linear(3, 24), nn.ReLU(), nn.Linear(24, 2))
target = copy.deepcopy(online)
optimizer = torch.optim.RMSprop(online.parameters(), lr=1e-3)
memory = deque(maxlen=500)
state = torch.rand(3)
for step in range(120):
    with torch.no_grad():
        action = online(state).argmax().item() if random.random() > 0.2 else random.randrange(2)
    following = torch.rand(3)
    memory.append((state, action, float(state.sum() * (1 if action else -1)), following))
    state = following
    if len(memory) < 32:
        continue
    states, actions, rewards, nexts = zip(*random.sample(memory, 16))
    with torch.no_grad():
        goal = torch.tensor(rewards) + 0.9 * target(torch.stack(nexts)).max(1).values
    guess = online(torch.stack(states)).gather(1, torch.tensor(actions)[:, None]).squeeze(1)
    loss = nn.functional.smooth_l1_loss(guess, goal)
    optimizer.zero_grad()
    loss.backward()
    for p in online.parameters():
        p.grad.data.clamp_(-1, 1)
    optimizer.step()
    if step % 25 == 0:
        target.load_state_dict(online.state_dict())
        print(step, loss.item())
