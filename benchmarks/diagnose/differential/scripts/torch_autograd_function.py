"""A function with a backward pass of its own, checkpointed blocks, parametrisations and a sparse embedding."""

import torch
from torch import nn
from torch.nn.utils.parametrizations import spectral_norm, weight_norm
from torch.utils.checkpoint import checkpoint


class Quantise(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, levels):
        ctx.levels = levels
        return (x * levels).round() / levels

    @staticmethod
    def backward(ctx, gradient):
        return gradient, None


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.words = nn.Embedding(30, 8, sparse=True)
        self.body = nn.Sequential(weight_norm(nn.Linear(8, 16)), nn.ELU(), spectral_norm(nn.Linear(16, 8)))
        self.lazy = nn.LazyLinear(2)

    def forward(self, tokens):
        x = self.words(tokens).mean(1)
        x = checkpoint(self.body, x, use_reentrant=False)
        return self.lazy(Quantise.apply(x, 16))


torch.manual_seed(0)
net = Net()
tokens = torch.randint(0, 30, (64, 5))
labels = (tokens.float().mean(1) > 15).long()
net(tokens)
dense = torch.optim.Adam([p for name, p in net.named_parameters() if "words" not in name], lr=0.01)
sparse = torch.optim.SparseAdam(net.words.parameters(), lr=0.05)
for step in range(40):
    loss = nn.functional.cross_entropy(net(tokens), labels)
    dense.zero_grad()
    sparse.zero_grad()
    loss.backward()
    dense.step()
    sparse.step()
print(loss.item())
