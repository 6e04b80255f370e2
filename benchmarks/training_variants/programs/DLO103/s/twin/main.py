import torch
from torch.distributions import Categorical

from agent import Agent


def main():
    torch.manual_seed(0)
    agent = Agent(4, 3)
    for step in range(60):
        states = torch.randn(32, 4)
        policy = Categorical(logits=agent.actor(states))
        actions = policy.sample()
        rewards = (actions == states[:, :3].argmax(1)).float()
        loss = agent.update(states, rewards, policy.log_prob(actions))
    print("critic loss", loss)


if __name__ == "__main__":
    main()
