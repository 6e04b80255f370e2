import copy

import torch
import torch.nn as nn
import torch.nn.functional as F


class DuelingHead(nn.Module):
    def __init__(self, d, n_actions):
        super().__init__()
        self.value = nn.Linear(d, 1)
        self.adv = nn.Linear(d, n_actions)

    def forward(self, h):
        a = self.adv(h)
        return self.value(h) + a - a.mean(dim=-1, keepdim=True)


def td_target(online, target, reward, next_obs, done, gamma=0.99):
    with torch.no_grad:
        best = online(next_obs).argmax(dim=1, keepdim=True)
        next_q = target(next_obs).gather(1, best).squeeze(1)
        return reward + gamma * (1.0 - done) * next_q


def main():
    torch.manual_seed(0)
    online = nn.Sequential(nn.Linear(6, 32), nn.ReLU(), DuelingHead(32, 4))
    target = copy.deepcopy(online)
    opt = torch.optim.Adam(online.parameters(), lr=5e-4)

    for update in range(20):
        obs, next_obs = torch.randn(64, 6), torch.randn(64, 6)
        action = torch.randint(4, (64, 1))
        reward, done = torch.rand(64), (torch.rand(64) < 0.1).float()

        y = td_target(online, target, reward, next_obs, done)
        q = online(obs).gather(1, action).squeeze(1)
        loss = F.smooth_l1_loss(q, y)
        opt.zero_grad()
        loss.backward()
        opt.step()
        if update % 5 == 0:
            target.load_state_dict(online.state_dict())
    print(f"td loss {loss.item():.4f}")


main()
