"""Functional calls: an inner step of MAML, vmap and per-sample gradients."""

import torch
from torch import nn
from torch.func import functional_call, grad, vmap

torch.manual_seed(0)
model = nn.Sequential(nn.Linear(3, 12), nn.Tanh(), nn.Linear(12, 1))
optimizer = torch.optim.Adam(model.parameters(), lr=0.005)


def loss_of(parameters, x, y):
    return nn.functional.mse_loss(functional_call(model, parameters, (x,)), y)


for step in range(30):
    x = torch.randn(20, 3)
    y = x.sum(1, keepdim=True) * torch.rand(())
    parameters = dict(model.named_parameters())
    inner = loss_of(parameters, x[:10], y[:10])
    gradients = torch.autograd.grad(inner, list(parameters.values()), create_graph=True)
    adapted = {name: p - 0.05 * g for (name, p), g in zip(parameters.items(), gradients)}
    outer = loss_of(adapted, x[10:], y[10:])
    optimizer.zero_grad()
    outer.backward()
    optimizer.step()
frozen = {name: p.detach() for name, p in model.named_parameters()}
each = vmap(grad(loss_of), (None, 0, 0))(frozen, x, y)
print(outer.item(), {name: tuple(g.shape) for name, g in each.items()}, each["0.weight"].norm().item())
