import torch
from torch import nn
from torch.distributions import Categorical


class ActorCritic(nn.Module):
    def __init__(self, observations, actions, hidden=32):
        super().__init__()
        self.shared = nn.Sequential(nn.Linear(observations, hidden), nn.Tanh())
        self.actor = nn.Linear(hidden, actions)
        self.critic = nn.Linear(hidden, 1)

    def forward(self, observation):
        features = self.shared(observation)
        return Categorical(logits=self.actor(features)), self.critic(features).squeeze(-1)


class Agent:
    def __init__(self, net, lr):
        self.net = net
        self.optimizer = torch.optim.Adam(net.parameters(), lr=lr)

    def losses(self, observations, actions, returns):
        policy, values = self.net(observations)
        advantage = returns - values
        actor_loss = -(policy.log_prob(actions) * advantage.detach()).mean()
        return actor_loss, advantage.pow(2).mean()

    def learn(self, observations, actions, returns):
        actor_loss, critic_loss = self.losses(observations, actions, returns)
        self.optimizer.zero_grad()
        actor_loss.backward()
        critic_loss.backward()
        self.optimizer.step()
        return actor_loss.item(), critic_loss.item()
