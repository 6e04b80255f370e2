import torch
from torch import nn
from torch.distributions import Categorical

from updates import update_policy

torch.manual_seed(0)

N_ARMS, STEPS, EPISODES = 4, 20, 30
means = torch.tensor([0.1, 0.5, 0.9, 0.3])

policy = nn.Sequential(nn.Linear(N_ARMS, 16), nn.Tanh(), nn.Linear(16, N_ARMS))
opt = torch.optim.Adam(policy.parameters(), lr=5e-3)

history = []
for episode in range(EPISODES):
    state = torch.zeros(N_ARMS)
    log_probs, rewards = [], []
    for _ in range(STEPS):
        dist = Categorical(logits=policy(state))
        arm = dist.sample()
        reward = float(means[arm] + 0.1 * torch.randn(()))
        state = torch.zeros(N_ARMS)
        state[arm] = reward
        log_probs.append(dist.log_prob(arm))
        rewards.append(reward)
    update_policy(opt, log_probs, rewards)
    history.append(sum(rewards) / STEPS)
print("mean reward of the last 5 episodes: %.4f" % (sum(history[-5:]) / 5))
