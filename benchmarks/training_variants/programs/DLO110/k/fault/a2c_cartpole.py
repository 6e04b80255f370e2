import argparse

import torch
from torch import nn
from torch.distributions import Categorical


class Corridor:
    """Walk to the right end of a corridor, one step costs 0.05."""

    def __init__(self, length=6):
        self.length = length

    def reset(self):
        self.at = 0
        return self.observe()

    def observe(self):
        state = torch.zeros(self.length)
        state[self.at] = 1.0
        return state

    def step(self, action):
        self.at = min(self.length - 1, max(0, self.at + (1 if action == 1 else -1)))
        done = self.at == self.length - 1
        return self.observe(), 1.0 if done else -0.05, done


class ActorCritic(nn.Module):
    def __init__(self, states, actions):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(states, 32), nn.Tanh())
        self.actor = nn.Linear(32, actions)
        self.critic = nn.Linear(32, 1)

    def forward(self, state):
        h = self.body(state)
        return Categorical(logits=self.actor(h)), self.critic(h).squeeze(-1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--episodes", type=int, default=40)
    parser.add_argument("--gamma", type=float, default=0.95)
    args = parser.parse_args()
    torch.manual_seed(2)
    env, model = Corridor(), ActorCritic(6, 2)
    optimizer = torch.optim.Adam(model.parameters(), lr=1e-2)
    all_values, all_returns = [], []
    for episode in range(args.episodes):
        state, done, trace = env.reset(), False, []
        while not done and len(trace) < 40:
            policy, value = model(state)
            action = policy.sample()
            state, reward, done = env.step(action.item())
            trace.append((policy.log_prob(action), value, reward))
            all_values.append(value)
        ret, loss = 0.0, 0.0
        for log_prob, value, reward in reversed(trace):
            ret = reward + args.gamma * ret
            advantage = ret - value
            loss = loss - log_prob * advantage.detach() + 0.5 * advantage.pow(2)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        all_returns.append(ret)
    print("return", round(sum(all_returns[-10:]) / 10, 3), "graphs", sum(v.requires_grad for v in all_values))


if __name__ == "__main__":
    main()
