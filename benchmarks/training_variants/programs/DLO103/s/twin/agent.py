"""Advantage actor-critic on a bandit with contexts."""
import torch
from torch import nn


class Agent:
    def __init__(self, features, actions):
        self.actor = nn.Sequential(nn.Linear(features, 32), nn.Tanh(), nn.Linear(32, actions))
        self.critic = nn.Sequential(nn.Linear(features, 32), nn.Tanh(), nn.Linear(32, 1))
        self.actor_optim = torch.optim.Adam(self.actor.parameters(), lr=5e-3)
        self.critic_optim = torch.optim.Adam(self.critic.parameters(), lr=5e-3)

    def update(self, states, rewards, log_probs):
        values = self.critic(states).squeeze(-1)
        advantage = rewards - values.detach()
        critic_loss = nn.functional.mse_loss(values, rewards)
        actor_loss = -(log_probs * advantage).mean()
        self.critic_optim.zero_grad()
        critic_loss.backward()
        self.critic_optim.step()
        self.actor_optim.zero_grad()
        actor_loss.backward()
        self.actor_optim.step()
        return critic_loss.item()
