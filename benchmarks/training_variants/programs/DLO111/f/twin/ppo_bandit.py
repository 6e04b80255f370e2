import torch
from torch import nn


class Policy(nn.Module):
    def __init__(self, n_ctx, n_arm):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(n_ctx, 32), nn.Tanh())
        self.pi = nn.Linear(32, n_arm)
        self.v = nn.Linear(32, 1)

    def forward(self, x):
        h = self.body(x)
        return torch.distributions.Categorical(logits=self.pi(h)), self.v(h).squeeze(-1)


class PPO:
    clip = 0.2

    def __init__(self, policy, lr=3e-3, updates=25):
        self.policy = policy
        self.optimizer = torch.optim.Adam(policy.parameters(), lr=lr)
        self.scheduler = torch.optim.lr_scheduler.LinearLR(
            self.optimizer, start_factor=1.0, end_factor=0.05, total_iters=updates
        )

    def loss(self, ctx, arm, old_logp, reward):
        dist, value = self.policy(ctx)
        adv = (reward - value).detach()
        ratio = (dist.log_prob(arm) - old_logp).exp()
        pg = -torch.min(ratio * adv, ratio.clamp(1 - self.clip, 1 + self.clip) * adv).mean()
        return pg + 0.5 * (reward - value).pow(2).mean() - 0.01 * dist.entropy().mean()

    def update(self, ctx, arm, old_logp, reward):
        loss = self.loss(ctx, arm, old_logp, reward)
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.policy.parameters(), 0.5)
        self.optimizer.step()
        self.scheduler.step()
        return loss.item()


torch.manual_seed(21)
best_arm = torch.randn(6, 4)
ppo = PPO(Policy(6, 4))
for update in range(25):
    ctx = torch.randn(128, 6)
    with torch.no_grad():
        dist, _ = ppo.policy(ctx)
        arm = dist.sample()
        logp = dist.log_prob(arm)
    reward = (ctx @ best_arm).gather(1, arm[:, None]).squeeze(1)
    ppo.update(ctx, arm, logp, reward)
print(f"mean reward {reward.mean().item():.4f}")
