"""Target networks and replay for a toy continuous control task."""
import copy
import random
from collections import deque

import torch
import torch.nn as nn
import torch.nn.functional as F


class Critic(nn.Module):
    def __init__(self, obs, act):
        super().__init__()
        self.q = nn.Sequential(nn.Linear(obs + act, 32), nn.ReLU(), nn.Linear(32, 1))

    def forward(self, s, a):
        return self.q(torch.cat([s, a], dim=-1))


def soft_update(target, source, tau):
    with torch.no_grad():
        for tp, sp in zip(target.parameters(), source.parameters()):
            tp.copy_(tau * sp + (1.0 - tau) * tp)


def main():
    random.seed(0)
    torch.manual_seed(0)
    actor = nn.Sequential(nn.Linear(3, 32), nn.ReLU(), nn.Linear(32, 1), nn.Tanh())
    critic = Critic(3, 1)
    actor_t, critic_t = copy.deepcopy(actor), copy.deepcopy(critic)
    a_opt = torch.optim.Adam(actor.parameters(), lr=1e-3)
    c_opt = torch.optim.Adam(critic.parameters(), lr=1e-3)
    memory = deque(maxlen=500)
    s = torch.randn(3)
    for t in range(80):
        with torch.no_grad():
            a = actor(s) + 0.1 * torch.randn(1)
        s2 = 0.9 * s + 0.1 * a
        memory.append((s, a, -s2.pow(2).sum().view(1), s2))
        s = s2 if t % 20 else torch.randn(3)
        if len(memory) < 16:
            continue
        bs, ba, br, bs2 = (torch.stack(z) for z in zip(*random.sample(memory, 16)))
        with torch.no_grad():
            goal = br + 0.98 * critic_t(bs2, actor_t(bs2))
        q_loss = F.mse_loss(critic(bs, ba), goal)
        c_opt.zero_grad()
        q_loss.backward()
        c_opt.step()
        p_loss = -critic(bs, actor(bs)).mean()
        a_opt.zero_grad()
        p_loss.backward()
        a_opt.step()
        soft_update(critic_t, critic, 0.01)
        soft_update(actor_t, actor, 0.01)
    print("q loss %.5f policy loss %.5f" % (q_loss.item(), p_loss.item()))


main()
