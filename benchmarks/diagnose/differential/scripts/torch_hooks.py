"""Hooks of every kind, which count and change what passes."""

import torch
from torch import nn

torch.manual_seed(0)
counts = {}


def count(name):
    counts[name] = counts.get(name, 0) + 1


model = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 3))
model[0].register_forward_pre_hook(lambda m, a: count("pre") or (a[0] * 1.1,))
model[1].register_forward_hook(lambda m, a, o: count("forward") or o + 0.01)
model[2].register_full_backward_hook(lambda m, i, o: count("backward"))
model[0].weight.register_hook(lambda g: count("gradient") or g * 0.5)
model[2].weight.register_post_accumulate_grad_hook(lambda p: count("accumulated"))
keywords = model.register_forward_hook(lambda m, a, k, o: count("keywords"), with_kwargs=True)
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
optimizer.register_step_post_hook(lambda o, a, k: count("step"))
everywhere = nn.modules.module.register_module_forward_hook(lambda m, a, o: count("everywhere"))
x, y = torch.randn(64, 5), torch.randint(0, 3, (64,))
for step in range(40):
    if step == 20:
        keywords.remove()
    loss = nn.functional.cross_entropy(model(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
everywhere.remove()
print(sorted(counts.items()), loss.item())
print(len(model[0]._forward_pre_hooks), len(model[1]._forward_hooks), len(model._forward_hooks))
