import torch
import torch.nn as nn
from torch.distributions import Normal


class Actor(nn.Module):
    def __init__(self, obs_dim, act_dim):
        super().__init__()
        self.mu = nn.Sequential(nn.Linear(obs_dim, 32), nn.Tanh(), nn.Linear(32, act_dim))
        self.log_std = nn.Parameter(torch.full((act_dim,), -0.5))

    def forward(self, obs):
        return Normal(self.mu(obs), self.log_std.exp())


class A2C:
    def __init__(self, obs_dim, act_dim, lr_actor=1e-3, lr_critic=5e-3):
        self.actor = Actor(obs_dim, act_dim)
        self.critic = nn.Sequential(nn.Linear(obs_dim, 32), nn.Tanh(), nn.Linear(32, 1))
        self.actor_opt = torch.optim.Adam(self.actor.parameters(), lr=lr_actor)
        self.critic_opt = torch.optim.Adam(self.critic.parameters(), lr=lr_critic)

    def update(self, obs, act, ret):
        value = self.critic(obs).squeeze(-1)
        advantage = ret - value

        actor_loss = -(self.actor(obs).log_prob(act).sum(-1) * advantage.detach()).mean()
        critic_loss = advantage.pow(2).mean()

        self.actor_opt.zero_grad()
        actor_loss.backward()
        self.actor_opt.step()

        self.critic_opt.zero_grad()
        critic_loss.backward()
        self.critic_opt.step()
        return actor_loss.item(), critic_loss.item()


def rollout(agent, horizon=40):
    obs = torch.randn(3)
    buf = []
    for _ in range(horizon):
        with torch.no_grad():
            act = agent.actor(obs).sample()
        reward = -(obs - act).pow(2).sum()
        buf.append((obs, act, reward))
        obs = 0.9 * obs + 0.1 * torch.randn(3)
    returns, g = [], torch.tensor(0.0)
    for _, _, r in reversed(buf):
        g = r + 0.9 * g
        returns.insert(0, g)
    o, a, _ = zip(*buf)
    return torch.stack(o), torch.stack(a), torch.stack(returns)


torch.manual_seed(0)
agent = A2C(3, 3)
for it in range(30):
    pi_loss, v_loss = agent.update(*rollout(agent))
    if it % 10 == 9:
        print(it, round(pi_loss, 3), round(v_loss, 3))
