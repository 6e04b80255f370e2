import torch
from torch import nn

import heatmaps

torch.manual_seed(1)
points = torch.rand(24, 2, 2) * 11 + 2
images = heatmaps.render(points).sum(1, keepdim=True) + 0.05 * torch.randn(24, 1, 16, 16)

net = nn.Sequential(nn.Conv2d(1, 16, 5, padding=2), nn.ReLU(), nn.Conv2d(16, 16, 5, padding=2), nn.ReLU(), nn.Conv2d(16, 2, 1))
optimizer = torch.optim.Adam(net.parameters(), lr=0.01)

for step in range(20):
    optimizer.zero_grad()
    value = heatmaps.loss(net(images), points)
    value.backward()
    optimizer.step()

net.eval()
with torch.no_grad():
    found = heatmaps.postprocess(net(images))
print("loss %.5f" % value.item())
print("mean error in pixels %.3f" % (found - points).norm(dim=-1).mean().item())
