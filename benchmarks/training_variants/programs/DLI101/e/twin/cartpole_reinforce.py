import torch
import torch.nn as nn
from torch.distributions import Categorical


def init_weights(m):
    if isinstance(m, nn.Linear):
        nn.init.xavier_normal_(m.weight)
        m.bias.data.fill_(0.0)


class PolicyNetwork(nn.Module):
    def __init__(self, obs=4, actions=2, hidden=24):
        super().__init__()
        self.l1 = nn.Linear(obs, hidden)
        self.l2 = nn.Linear(hidden, actions)
        self.apply(init_weights)

    def forward(self, x):
        return Categorical(logits=self.l2(torch.tanh(self.l1(x))))


class Pole:
    """Crude balance task: keep |x| small."""

    def reset(self):
        self.x = torch.randn(4) * 0.1
        return self.x

    def step(self, a):
        self.x = 0.95 * self.x + (0.1 if a == 1 else -0.1)
        return self.x, 1.0 - self.x.abs().mean().item()


torch.manual_seed(543)
policy, env = PolicyNetwork(), Pole()
optimizer = torch.optim.Adam(policy.parameters(), lr=1e-2)
for episode in range(10):
    state, log_probs, rewards = env.reset(), [], []
    for _ in range(30):
        dist = policy(state)
        action = dist.sample()
        log_probs.append(dist.log_prob(action))
        state, reward = env.step(action.item())
        rewards.append(reward)
    returns = torch.tensor(rewards).flip(0).cumsum(0).flip(0)
    loss = -(torch.stack(log_probs) * (returns - returns.mean())).sum()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print("rank of l1:", torch.linalg.matrix_rank(policy.l1.weight.detach(), atol=1e-4).item(), "return", round(sum(rewards), 3))
