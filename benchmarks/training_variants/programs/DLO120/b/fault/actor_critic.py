import torch

from agent import ActorCritic, Agent


def bandit_rollout(net, n=64):
    """One-step episodes: the reward is 1 if the action names the largest entry."""
    observations = torch.rand(n, 4)
    with torch.no_grad():
        policy, _ = net(observations)
        actions = policy.sample()
    rewards = (actions == observations.argmax(dim=1)).float()
    return observations, actions, rewards


def main():
    torch.manual_seed(0)
    agent = Agent(ActorCritic(4, 4), lr=1e-2)
    for update in range(60):
        observations, actions, rewards = bandit_rollout(agent.net)
        actor, critic = agent.learn(observations, actions, rewards)
        if update % 20 == 0:
            print(f"update {update}: reward {rewards.mean():.3f} actor {actor:.4f} critic {critic:.4f}")


if __name__ == "__main__":
    main()
