import copy

import torch
from torch import nn


class QNetwork(nn.Module):
    def __init__(self, obs, actions):
        super().__init__()
        self.net = nn.Sequential(nn.Linear(obs, 32), nn.ReLU(), nn.Linear(32, actions))

    def forward(self, obs):
        return self.net(obs)


class ManualSGD:
    """SGD with decoupled decay, written out."""

    def __init__(self, params, lr, decay):
        self.params, self.lr, self.decay = list(params), lr, decay

    def zero_grad(self):
        for p in self.params:
            p.grad = None

    def step(self):
        for p in self.params:
            p.data = p.data * (1 - self.lr * self.decay) - self.lr * p.grad.data


def main():
    torch.manual_seed(0)
    online = QNetwork(5, 3)
    target = copy.deepcopy(online)
    optimizer = ManualSGD(online.parameters(), lr=0.05, decay=1e-3)
    obs, nxt = torch.randn(256, 5), torch.randn(256, 5)
    action = torch.randint(0, 3, (256,))
    reward = (action == obs[:, :3].argmax(1)).float()
    for update in range(40):
        pick = torch.randint(0, 256, (32,))
        with torch.no_grad():
            goal = reward[pick] + 0.9 * target(nxt[pick]).max(1).values
        q = online(obs[pick]).gather(1, action[pick].unsqueeze(1)).squeeze(1)
        loss = nn.functional.mse_loss(q, goal)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        if update % 10 == 9:
            target.load_state_dict(online.state_dict())
            print(update, f"{loss.item():.4f}")


if __name__ == "__main__":
    main()
