"""A mixture density network after Bishop: the negative log-likelihood of a density, which may well be negative."""

import sys

import torch
from torch import nn
from torch.distributions import Categorical, MixtureSameFamily, Normal


class MixtureDensity(nn.Module):
    def __init__(self, components=4):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(1, 32), nn.Tanh(), nn.Linear(32, 32), nn.Tanh())
        self.weights, self.means, self.scales = (nn.Linear(32, components) for _ in range(3))

    def forward(self, x):
        h = self.body(x)
        scales = nn.functional.softplus(self.scales(h)) + 1e-3
        return MixtureSameFamily(Categorical(logits=self.weights(h)), Normal(self.means(h), scales))


torch.manual_seed(int(sys.argv[1]) if len(sys.argv) > 1 else 0)
torch.set_num_threads(1)
# An arc that is traversed sideways: several answers for one question.
answer = 2 * torch.rand(2000) - 1
question = 0.6 * torch.sin(5 * answer) + 0.3 * answer + 0.02 * torch.randn(2000)
model = MixtureDensity()
optimizer = torch.optim.Adam(model.parameters(), lr=5e-3)
course = []
for epoch in range(8):
    for at in torch.randperm(len(answer)).split(64):
        loss = -model(question[at, None]).log_prob(answer[at]).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        course.append(loss.item())
print(f"loss {course[0]:.3f} to {sum(course[-10:]) / 10:.3f}")
assert sum(course[-10:]) / 10 < 0.0
